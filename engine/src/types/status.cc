#include "lamina/status.h"

namespace lamina {

std::string_view to_string(StatusCode code) {
  switch (code) {
    case StatusCode::ok:
      return "ok";
    case StatusCode::invalid_argument:
      return "invalid_argument";
    case StatusCode::not_found:
      return "not_found";
    case StatusCode::already_exists:
      return "already_exists";
    case StatusCode::resource_exhausted:
      return "resource_exhausted";
    case StatusCode::unavailable:
      return "unavailable";
    case StatusCode::deadline_exceeded:
      return "deadline_exceeded";
    case StatusCode::cancelled:
      return "cancelled";
    case StatusCode::data_loss:
      return "data_loss";
    case StatusCode::io_error:
      return "io_error";
    case StatusCode::internal:
      return "internal";
  }
  return "internal";
}

Status Status::invalid_field(std::string field, std::string detail) {
  Status status(StatusCode::invalid_argument, std::move(detail));
  status.field_ = std::move(field);
  return status;
}

Status Status::invalid_argument(std::string message) {
  return {StatusCode::invalid_argument, std::move(message)};
}
Status Status::not_found(std::string message) {
  return {StatusCode::not_found, std::move(message)};
}
Status Status::already_exists(std::string message) {
  return {StatusCode::already_exists, std::move(message)};
}
Status Status::resource_exhausted(std::string message) {
  return {StatusCode::resource_exhausted, std::move(message)};
}
Status Status::unavailable(std::string message) {
  return {StatusCode::unavailable, std::move(message)};
}
Status Status::deadline_exceeded(std::string message) {
  return {StatusCode::deadline_exceeded, std::move(message)};
}
Status Status::cancelled(std::string message) {
  return {StatusCode::cancelled, std::move(message)};
}
Status Status::data_loss(std::string message) {
  return {StatusCode::data_loss, std::move(message)};
}
Status Status::io_error(std::string message) {
  return {StatusCode::io_error, std::move(message)};
}
Status Status::internal(std::string message) {
  return {StatusCode::internal, std::move(message)};
}

std::string Status::to_string() const {
  std::string text(lamina::to_string(code_));
  if (!field_.empty()) text += ": " + field_;
  if (!message_.empty()) text += ": " + message_;
  return text;
}

}  // namespace lamina
