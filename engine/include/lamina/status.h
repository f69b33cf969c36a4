#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace lamina {

// Why a call failed. The list is closed, and the same on every rung: the code
// that the engine gives is the code that a client over HTTP hands its caller.
enum class StatusCode {
  ok,
  // The caller's input is wrong; nothing was changed.
  invalid_argument,
  // The named collection or point does not exist.
  not_found,
  // The name is taken.
  already_exists,
  // A limit was reached: connections, requests in flight, disk, memory.
  resource_exhausted,
  // The other side cannot be reached or does not take work now; try later.
  unavailable,
  // The call's deadline passed. A write may or may not have been applied.
  deadline_exceeded,
  // The caller gave the call up.
  cancelled,
  // Stored bytes are damaged, or what is on the disk is no longer known.
  data_loss,
  // The operating system refused a file operation.
  io_error,
  // A fault of ours, or an answer that follows no known protocol.
  internal,
};

// "invalid_argument" for StatusCode::invalid_argument, and so on.
std::string_view to_string(StatusCode code);

// The outcome of a call that returns nothing else: ok, or a code and a message
// for the person at the keyboard. A message about one input field also carries
// that field's name ("top_k"), so that a server can say where it stands in the
// request.
//
// Thread safety: a value; distinct objects are independent.
class [[nodiscard]] Status {
 public:
  Status() = default;  // ok
  Status(StatusCode code, std::string message)
      : code_(code), message_(std::move(message)) {}

  // The value of one input field is out of its range. `detail` says which
  // value, and what is allowed: "value 0 invalid, must be 1 or larger".
  static Status invalid_field(std::string field, std::string detail);

  static Status invalid_argument(std::string message);
  static Status not_found(std::string message);
  static Status already_exists(std::string message);
  static Status resource_exhausted(std::string message);
  static Status unavailable(std::string message);
  static Status deadline_exceeded(std::string message);
  static Status cancelled(std::string message);
  static Status data_loss(std::string message);
  static Status io_error(std::string message);
  static Status internal(std::string message);

  bool ok() const { return code_ == StatusCode::ok; }
  StatusCode code() const { return code_; }

  // What was wrong and what is allowed, without the field's name.
  const std::string& message() const { return message_; }

  // The input field at fault; empty when the error is not about one field.
  const std::string& field() const { return field_; }

  // "invalid_argument: top_k: value 0 invalid, must be 1 or larger".
  std::string to_string() const;

  bool operator==(const Status&) const = default;

 private:
  StatusCode code_ = StatusCode::ok;
  std::string message_;
  std::string field_;
};

}  // namespace lamina
