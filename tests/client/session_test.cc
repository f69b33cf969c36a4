#include "session.h"

#include <doctest/doctest.h>

#include "scripted_transport.h"

namespace lamina::client {
namespace {

using test::good_step;
using test::Script;
using test::ScriptedTransport;
using test::stale_step;

const HttpRequest kRequest{.method = "GET", .target = "/collections"};

struct Fixture {
  Script script;
  Session session;

  Fixture()
      : session(Url{.host = "db", .port = 7, .prefix = "/p"}, ClientOptions{},
                std::make_unique<ScriptedTransport>(script)) {}

  // One call that succeeds, so that a kept connection is there.
  void warm_up() { REQUIRE(session.send(kRequest).ok()); }
};

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("a request that a stale connection swallowed is sent again") {
  Fixture fixture;
  fixture.warm_up();
  fixture.script.steps.push_back(stale_step());
  CHECK(fixture.session.send(kRequest).ok());
  CHECK(fixture.script.exchange_count == 3);
  CHECK(fixture.script.connect_count == 2);
}

TEST_CASE("a request is sent a second time, never a third") {
  Fixture fixture;
  fixture.warm_up();
  fixture.script.steps.push_back(stale_step());
  fixture.script.steps.push_back(stale_step());
  CHECK(fixture.session.send(kRequest).status().code() ==
        StatusCode::unavailable);
  CHECK(fixture.script.exchange_count == 3);
}

TEST_CASE("a fresh connection that breaks is an error at once") {
  Fixture fixture;
  fixture.script.steps.push_back(stale_step());
  CHECK(fixture.session.send(kRequest).status().code() ==
        StatusCode::unavailable);
  CHECK(fixture.script.exchange_count == 1);
}

TEST_CASE("a request whose reply began, or came too late, is not sent again") {
  for (const Status& status :
       {Status::unavailable("cut"), Status::deadline_exceeded("late")}) {
    Fixture fixture;
    fixture.warm_up();
    fixture.script.steps.push_back(
        {.reply = status, .after = ConnectionState::closed});
    CHECK(fixture.session.send(kRequest).status().code() == status.code());
    CHECK(fixture.script.exchange_count == 2);
  }
}

TEST_CASE("an error says where, what was asked, why and how long it took") {
  Fixture fixture;
  fixture.script.refuses = true;
  const Status status = fixture.session.send(kRequest).status();
  CHECK(status.code() == StatusCode::unavailable);
  CHECK(holds(status.message(), "db:7"));
  CHECK(holds(status.message(), "GET /collections"));
  CHECK(holds(status.message(), "refused"));
  CHECK(holds(status.message(), " ms"));
}

TEST_CASE("a reply that cannot be decoded is internal, with the reason") {
  Fixture fixture;
  const auto decode = [](std::string_view) -> Result<int> {
    return Status::invalid_argument("no such key");
  };
  const Status status = fixture.session.call(kRequest, decode).status();
  CHECK(status.code() == StatusCode::internal);
  CHECK(holds(status.message(), "no such key"));
  CHECK(holds(status.message(), "db:7"));
}

TEST_CASE("a status that is neither success nor a known error is internal") {
  Fixture fixture;
  fixture.script.steps.push_back(good_step(302));
  CHECK(fixture.session.send(kRequest).status().code() == StatusCode::internal);
}

TEST_CASE("targets carry the prefix") {
  CHECK(Fixture().session.target("/collections") == "/p/collections");
}

}  // namespace
}  // namespace lamina::client
