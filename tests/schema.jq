# Validates a JSON document against a JSON Schema, as far as the schemas of heddle need it:
#   jq -n -L tests --slurpfile schema S --slurpfile document D \
#      'import "schema" as s; s::faults($schema[0]; $document[0]; true)'
# gives a line for each fault. `strict`: a key that the schema does not name is one, too.

def resolve($root):
    if has("$ref") then (.["$ref"] | ltrimstr("#/") | split("/")) as $path
        | (del(.["$ref"]) + ($root | getpath($path)) | resolve($root))
    else . end;

def is_type($name):
    if $name == "integer" then type == "number" and . == floor
    else type == $name end;

def faults($root; $schema; $value; $path; $strict):
    ($schema | resolve($root)) as $s
    | $value
    | (if $s | has("type") then
           (if ($s.type | type) == "array" then $s.type else [$s.type] end) as $types
           | (if any($types[]; . as $t | $value | is_type($t)) then empty
              else "\($path): expected \($types | join(" or ")), not \($value | type)" end)
       else empty end),
      (if ($s | has("const")) and $value != $s.const then "\($path): expected \($s.const)"
       else empty end),
      (if ($s | has("enum")) and ($s.enum | index([$value]) | not)
       then "\($path): unexpected \($value)" else empty end),
      (if ($s | has("minimum")) and ($value | type) == "number" and $value < $s.minimum
       then "\($path): below \($s.minimum)" else empty end),
      (if ($s | has("pattern")) and ($value | type) == "string" and ($value | test($s.pattern) | not)
       then "\($path): does not match \($s.pattern)" else empty end),
      (if ($s | has("anyOf")) and all($s.anyOf[]; [faults($root; .; $value; $path; false)] != [])
       then "\($path): none of the alternatives" else empty end),
      (if ($value | type) == "object" then
           (($s.required // [])[] | select(. as $key | $value | has($key) | not)
            | "\($path): no \(.)"),
           ($value | keys[] | . as $key
            | if $s.properties // {} | has($key)
              then faults($root; $s.properties[$key]; $value[$key]; "\($path).\($key)"; $strict)
              elif ($s.additionalProperties | type) == "object"
              then faults($root; $s.additionalProperties; $value[$key]; "\($path).\($key)"; $strict)
              elif $s.additionalProperties == false or ($strict and ($s | has("properties")))
              then "\($path): \($key) is not in the schema" else empty end)
       elif ($value | type) == "array" then
           (if ($value | length) < ($s.minItems // 0) then "\($path): too few" else empty end),
           (if $s | has("items") then
                range($value | length)
                | faults($root; $s.items; $value[.]; "\($path)[\(.)]"; $strict)
            else empty end)
       else empty end);

def faults($schema; $document; $strict): faults($schema; $schema; $document; "$"; $strict);
