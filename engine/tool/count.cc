#include "commands.h"
#include "filter_text.h"
#include "output.h"
#include "session.h"

namespace lamina::tool {

Status count(const Common& common, const CountArguments& arguments) {
  const Result<Filter> filter = parse_filter(arguments.filter);
  if (!filter.ok()) return filter.status();
  const Result<Session> session = open_session(common, arguments.collection);
  if (!session.ok()) return session.status();
  const Result<std::uint64_t> points = session->collection->count(*filter);
  if (!points.ok()) return points.status();
  if (!common.json) return print_line(std::to_string(*points));
  JsonWriter json;
  json.begin_object().key("count").uint64(*points);
  return print_line(json.end_object().take());
}

}  // namespace lamina::tool
