#include "routes/ui.h"

#include "ui_files.h"

namespace lamina::server {
namespace {

// Nothing from elsewhere, nothing inline, and in nobody's frame: what a
// collection holds could do nothing even if it became part of the page.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

Reply serve(const Call& call, std::string_view name) {
  for (const UiFile& file : ui_files()) {
    if (file.name != name) continue;
    Reply reply;
    reply.content_type = file.content_type;
    reply.body = file.text;
    reply.headers.emplace_back("Content-Security-Policy", kPolicy);
    reply.headers.emplace_back("X-Content-Type-Options", "nosniff");
    reply.headers.emplace_back("Referrer-Policy", "no-referrer");
    reply.headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
    reply.headers.emplace_back("Cache-Control", "no-cache");
    return reply;
  }
  return call.error(Status::not_found("the page has no such file"));
}

}  // namespace

Reply get_ui(const Call& call) { return serve(call, "index.html"); }

Reply get_ui_file(const Call& call) { return serve(call, call.field_name); }

}  // namespace lamina::server
