#pragma once

#include <optional>
#include <string_view>

// What bodies can be on Lamina's own routes, and how the two sides agree.
namespace lamina::protocol {

inline constexpr std::string_view kJsonMedia = "application/json";
// Little-endian float32 values, one after the other.
inline constexpr std::string_view kFloatsMedia = "application/vnd.lamina.f32le";
inline constexpr std::string_view kBytesMedia = "application/octet-stream";
// Tensors in the safetensors layout.
inline constexpr std::string_view kTensorsMedia =
    "application/vnd.lamina.safetensors";
inline constexpr std::string_view kProblemMedia = "application/problem+json";

enum class Media { json, floats, tensors };

// Of a request's Content-Type; nothing for one that is none of these. kBytes
// stands for floats. "charset" and the like are passed over, but "dtype" is
// not: other types of values are to come under it.
std::optional<Media> content_media(std::string_view content_type);

// Of a reply, JSON or tensors, by the request's Accept; nothing when it takes
// neither. JSON unless tensors are wanted more, or by name where JSON is not.
std::optional<Media> accepted_media(std::string_view accept);

}  // namespace lamina::protocol
