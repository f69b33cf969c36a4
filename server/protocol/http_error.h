#pragma once

#include <string>
#include <string_view>

#include "lamina/status.h"

// Status to HTTP and back: the one table.
namespace lamina::protocol {

// Where a status arose decides its text: a body that cannot be read is a
// "Format error in JSON body", the same code from the engine a "Wrong input".
enum class ErrorOrigin { request_body, query_parameters, engine };

struct HttpError {
  int status = 500;
  std::string text;  // What stands at "status.error" in the envelope.
};

HttpError to_http(const Status& status, ErrorOrigin origin);

// What Lamina's own routes say of an error: a problem by RFC 9457. `slug` ends
// its "type", and is for programs: "not-found".
struct Problem {
  int status = 500;
  std::string_view slug;
};

// Errors of HTTP itself, which no Status stands for.
inline constexpr Problem kMethodNotAllowed{405, "method-not-allowed"};
inline constexpr Problem kNotAcceptable{406, "not-acceptable"};
inline constexpr Problem kUnsupportedMedia{415, "unsupported-media-type"};
inline constexpr Problem kLengthMismatch{400, "length-mismatch"};

Problem to_problem(const Status& status, ErrorOrigin origin);

// The body, as application/problem+json.
std::string encode_problem(const Problem& problem, const Status& status);

// The whole JSON body of an error reply.
std::string encode_error_reply(std::string_view text, double seconds);

// What the client hands its caller for a reply that is not 2xx: code, field and
// message as the server's engine gave them. `status_header` is the value of
// Lamina-Status, empty when the server does not send it (then the HTTP status
// decides). The body is the envelope or a problem; any other is kept, cut at
// 1 KiB.
Status from_http(int http_status, std::string_view status_header,
                 std::string_view body);

}  // namespace lamina::protocol
