#include <string>

#include "router_fixture.h"
#include "ui_files.h"

namespace lamina::server {
namespace {

TEST_CASE("the page and all of its files are served, with types and a policy") {
  Fixture fixture;
  const Reply page = fixture.call("GET", "/ui");
  CHECK(page.status == 200);
  CHECK(page.content_type == "text/html; charset=utf-8");
  CHECK(ui_files().size() >= 4);
  for (const UiFile& file : ui_files()) {
    CAPTURE(file.name);
    const Reply reply = fixture.call("GET", "/ui/" + std::string(file.name));
    CHECK(reply.status == 200);
    CHECK(reply.content_type == file.content_type);
    CHECK(reply.body == file.text);
    CHECK(header(reply, "X-Content-Type-Options") == "nosniff");
    const std::string policy = header(reply, "Content-Security-Policy");
    CHECK(policy.starts_with("default-src 'none'; script-src 'self';"));
    CHECK(policy.find("unsafe") == std::string::npos);
  }
  CHECK(fixture.call("GET", "/ui/no.js").status == 404);
  CHECK(fixture.call("GET", "/ui/..%2fopenapi.json").status == 404);
}

TEST_CASE("the page fetches nothing from elsewhere and holds no inline code") {
  for (const UiFile& file : ui_files()) {
    CAPTURE(file.name);
    std::string text(file.text);
    // The only addresses are names of XML's vocabularies.
    for (const std::string name : {"http://www.w3.org/2000/svg"}) {
      for (std::size_t at; (at = text.find(name)) != std::string::npos;) {
        text.erase(at, name.size());
      }
    }
    for (const char* word : {"http:", "https:", "innerHTML", "outerHTML",
                             "insertAdjacent", "document.write", "eval(",
                             "localStorage", " style=\"", " onclick="}) {
      CAPTURE(word);
      CHECK(text.find(word) == std::string::npos);
    }
  }
}

}  // namespace
}  // namespace lamina::server
