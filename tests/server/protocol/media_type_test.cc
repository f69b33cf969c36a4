#include "protocol/media_type.h"

#include <doctest/doctest.h>

#include <string>

namespace lamina::protocol {
namespace {

TEST_CASE("JSON is what a reply is unless tensors are wanted more") {
  const std::string tensors(kTensorsMedia);
  for (const std::string& accept :
       {std::string(), std::string("*/*"), std::string("application/*"),
        std::string("application/json"), "application/json, " + tensors,
        tensors + ";q=0.5, application/json", tensors + ";q=0.5, */*",
        std::string("text/html, application/xml;q=0.9, */*;q=0.8")}) {
    CAPTURE(accept);
    CHECK(accepted_media(accept) == Media::json);
  }
  for (const std::string& accept :
       {tensors, tensors + ", */*", tensors + ";q=1.0, application/json;q=0.9",
        "application/json;q=0, " + tensors, " " + tensors + " ; q=0.1"}) {
    CAPTURE(accept);
    CHECK(accepted_media(accept) == Media::tensors);
  }
  for (const std::string& accept :
       {std::string("text/html"), tensors + ";q=0",
        std::string("application/json;q=0, */*;q=0")}) {
    CAPTURE(accept);
    CHECK_FALSE(accepted_media(accept).has_value());
  }
}

TEST_CASE("types of bodies are known in any case, with parameters") {
  CHECK(content_media("application/json") == Media::json);
  CHECK(content_media("Application/JSON; charset=utf-8") == Media::json);
  CHECK(content_media("application/octet-stream") == Media::floats);
  CHECK(content_media("application/vnd.lamina.f32le") == Media::floats);
  CHECK(content_media("application/vnd.lamina.safetensors") == Media::tensors);
  CHECK_FALSE(content_media("application/octet-stream;dtype=f16").has_value());
  CHECK_FALSE(content_media("multipart/form-data; boundary=x").has_value());
  CHECK_FALSE(content_media("").has_value());
}

}  // namespace
}  // namespace lamina::protocol
