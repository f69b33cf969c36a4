#include "protocol/index_type.h"

#include <string>

#include "protocol/message.h"

namespace lamina::protocol {

Result<PayloadIndexType> index_type_of(std::string_view name,
                                       std::string_view path) {
  std::string known;
  for (const PayloadIndexType type :
       {PayloadIndexType::keyword, PayloadIndexType::integer,
        PayloadIndexType::floating, PayloadIndexType::boolean,
        PayloadIndexType::datetime, PayloadIndexType::uuid,
        PayloadIndexType::text}) {
    if (to_string(type) == name) return type;
    known += (known.empty() ? "" : ", ") + std::string(to_string(type));
  }
  if (name == "geo") return unsupported(path, "`geo` indexes");
  return Status::invalid_argument(std::string(path) +
                                  ": unknown type, expected one of " + known);
}

}  // namespace lamina::protocol
