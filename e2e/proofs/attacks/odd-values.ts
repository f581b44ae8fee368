/** Values that no field of a body expects, as JSON text: some cannot be written by `JSON.stringify`. */
export const oddJson: readonly string[] = [
  ...['null', 'true', '0', '-1', '1.5', '1e308', '1e999', '-0', '9007199254740993', '[]', '{}', '[null]', '[[[[]]]]'],
  ...['""', '" "', '"NaN"', '"a\\u0000b"', '"\\ud800"', '"__proto__"', '"constructor"', '"../../etc/passwd"'],
  ...['"<script>1</script>"', '"\' or 1=1--"', '"2026-02-30"', '"%00"', '{"__proto__":{"x":1}}', '{"toString":null}'],
  ...[`"${'x'.repeat(100_000)}"`, `[${'0,'.repeat(30_000)}0]`, `${'['.repeat(2_000)}${']'.repeat(2_000)}`],
]

/** Bodies that are no object of any schema. */
export const oddBodies: readonly string[] = [
  ...['', ' ', 'null', '[]', '"x"', '0', '{', '{"a":1,"a":2}', '{"__proto__":null}', '\ufeff{}', 'NaN', '{}{}'],
  `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
]

/** Values that no parameter expects, percent-encoded for a path or query. */
export const oddParts: readonly string[] = [
  ...['%00', 'a%00b', '%', '%ff', '%ed%a0%80', '%2e%2e%2f', '%2F', '%5c', ';', '%20', 'null', 'undefined', 'NaN', '-1'],
  ...[
    '1e999',
    '9007199254740993',
    '__proto__',
    'constructor',
    'toString',
    '2026-02-30',
    '%27%20or%201%3D1--',
    '%F0%9F%92%A9',
  ],
  'x'.repeat(4_000),
]

/** Values that no header expects. */
export const oddHeaders: readonly string[] = [
  ...[
    '',
    '-1',
    'NaN',
    '1e999',
    '9007199254740993',
    '"',
    '""',
    'W/"1"',
    '*',
    'null',
    '%00',
    '\u00ff',
    '__proto__',
    ', ,',
  ],
  'x'.repeat(4_000),
]
