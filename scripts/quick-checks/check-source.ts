import type * as z from 'zod'

type Schema = z.core.$ZodType

/** Where a function that schemas call can be imported from. */
export type Importable = { name: string; from: string }

/**
 * A check of one module: its functions by their bodies and by their schemas, its constants by their text, and
 * the names that it imports from each module.
 */
type Module = {
  importable: ReadonlyMap<unknown, Importable>
  functions: Map<string, string>
  checked: Map<Schema, string>
  constants: Map<string, string>
  imported: Map<string, Set<string>>
}

/** The lines of a function, and the number of its variables. */
type Body = { lines: string[]; variables: number }

const REFUSE = 'return undefined'

/**
 * The source of a module that checks values as their schemas do, many times faster and without zod. Each
 * function answers the parsed value, or undefined if it is not sure that the schema accepts the value: the
 * schema then has to be asked. Throws an Error for a kind of schema that this file does not know.
 */
export function sourceOfChecks(
  schemas: Readonly<Record<string, Schema>>,
  importable: ReadonlyMap<unknown, Importable>,
): { imports: string[]; functions: string[]; names: Map<string, string> } {
  const module: Module = {
    importable,
    functions: new Map(),
    checked: new Map(),
    constants: new Map(),
    imported: new Map(),
  }
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [name, functionOf(module, schema)]))
  const imports = [...module.imported]
    .toSorted(([one], [other]) => byText(one, other))
    .map(([from, found]) => `import { ${[...found].toSorted(byText).join(', ')} } from '${from}'`)
  const constants = [...module.constants].map(([text, name]) => `const ${name} = ${text}`)
  const functions = [...module.functions].map(
    ([body, name]) => `function ${name}(value: unknown) {\n${body}\n}`,
  )
  return { imports, functions: [...constants, ...functions], names }
}

function byText(one: string, other: string): number {
  return one < other ? -1 : 1
}

/** The name of a function for a schema. Equal schemas, such as one with another description, share one. */
function functionOf(module: Module, schema: Schema): string {
  const known = module.checked.get(schema)
  if (known !== undefined) return known
  const body: Body = { lines: [], variables: 0 }
  const found = writeCheck(module, body, schema, 'value')
  const text = [...body.lines, `return ${found}`].map((line) => `  ${line}`).join('\n')
  const name = module.functions.get(text) ?? `${defOf(schema).type}${module.functions.size}`
  module.functions.set(text, name)
  module.checked.set(schema, name)
  return name
}

/** Calls the function of a schema of several parts. */
function callCheck(module: Module, body: Body, schema: Schema, value: string): string {
  const name = functionOf(module, schema)
  const found = newVariable(body)
  body.lines.push(`const ${found} = ${name}(${value})`, `if (${found} === undefined) ${REFUSE}`)
  return found
}

/** The union of all kinds, so that the compiler knows the parts of each. */
function defOf(schema: Schema): z.core.$ZodTypes['_zod']['def'] {
  return (schema as z.core.$ZodTypes)._zod.def
}

function newVariable(body: Body): string {
  body.variables += 1
  return `v${body.variables}`
}

/** Writes the lines that refuse a value or go on. Returns the name of the parsed value. */
function writeCheck(module: Module, body: Body, schema: Schema, value: string): string {
  const def = defOf(schema)
  // The function that is called has the rules of the schema.
  if (value !== 'value' && (def.type === 'object' || def.type === 'array' || def.type === 'record'))
    return callCheck(module, body, schema, value)
  const parsed = writeKind(module, body, schema, value)
  const checks = def.type === 'array' ? [] : (def.checks ?? [])
  for (const check of checks) writeRule(module, body, check, parsed)
  return parsed
}

function writeKind(module: Module, body: Body, schema: Schema, value: string): string {
  const def = defOf(schema)
  if ('coerce' in def && def.coerce) throw unknownKind('coercion')
  const refuseIf = (condition: string) => body.lines.push(`if (${condition}) ${REFUSE}`)
  switch (def.type) {
    case 'unknown':
      return value
    case 'boolean':
      refuseIf(`typeof ${value} !== 'boolean'`)
      return value
    case 'string':
      if ('format' in def && def.format !== undefined) throw unknownKind('a format of its own')
      refuseIf(`typeof ${value} !== 'string'`)
      return value
    case 'number':
      refuseIf(`typeof ${value} !== 'number' || !Number.${numberTest(def)}(${value})`)
      return value
    case 'literal':
      refuseIf(isNoneOf(module, def.values, value))
      return value
    case 'enum':
      refuseIf(isNoneOf(module, Object.values(def.entries), value))
      return value
    case 'nullable':
      return writeNullable(module, body, def.innerType, value)
    case 'pipe':
      return writePipe(module, body, def, value)
    case 'union':
      return writeUnion(module, body, def, value)
    case 'object':
      return writeObject(module, body, def)
    case 'array':
      return writeArray(module, body, def)
    case 'record':
      return writeRecord(module, body, def)
    default:
      throw unknownKind(def.type)
  }
}

function unknownKind(kind: string): Error {
  return new Error(`A check cannot be made of ${kind}: teach scripts/quick-checks/check-source.ts`)
}

function numberTest(def: object): 'isSafeInteger' | 'isFinite' {
  if (!('format' in def) || def.format === undefined) return 'isFinite'
  if (def.format === 'safeint') return 'isSafeInteger'
  throw unknownKind('a format of its own')
}

/** A short list is compared one by one, a long one with a set. */
const COMPARED_MAX = 8

function isNoneOf(module: Module, words: readonly unknown[], value: string): string {
  if (words.some((word) => !['string', 'number', 'boolean'].includes(typeof word)))
    throw unknownKind('a literal that is no text, number or boolean')
  const texts = words.map((word) => JSON.stringify(word))
  return texts.length > COMPARED_MAX
    ? `!${constantOf(module, setOf(words))}.has(${value})`
    : texts.map((text) => `${value} !== ${text}`).join(' && ')
}

function setOf(words: readonly unknown[]): string {
  return `new Set<unknown>([${words.map((word) => JSON.stringify(word)).join(', ')}])`
}

function constantOf(module: Module, text: string): string {
  const name = module.constants.get(text) ?? `constant${module.constants.size}`
  module.constants.set(text, name)
  return name
}

function writeNullable(module: Module, body: Body, inner: Schema, value: string): string {
  const found = newVariable(body)
  body.lines.push(`let ${found}: unknown = null`, `if (${value} !== null) {`)
  body.lines.push(`${found} = ${writeCheck(module, body, inner, value)}`, '}')
  return found
}

function writePipe(module: Module, body: Body, def: z.core.$ZodPipeDef, value: string): string {
  if ('transform' in def) throw unknownKind('a codec')
  const before = writeCheck(module, body, def.in, value)
  const after = defOf(def.out)
  if (after.type !== 'transform') return writeCheck(module, body, def.out, before)
  if ((after.checks ?? []).length > 0) throw unknownKind('a rule of a transformed value')
  const found = newVariable(body)
  body.lines.push(`const ${found} = ${importedName(module, after.transform)}(${before})`)
  return found
}

/** A function with a second parameter would get the context of zod. */
function importedName({ importable, imported }: Module, called: unknown): string {
  const found = importable.get(called)
  if (found === undefined || typeof called !== 'function' || called.length !== 1)
    throw unknownKind(
      `the function ${String(called)}, unless a module of RULES in quick-checks.ts exports it`,
    )
  imported.set(found.from, (imported.get(found.from) ?? new Set()).add(found.name))
  return found.name
}

/**
 * The first alternative that accepts the value. Each is a kind of text with words or a pattern, for which not
 * sure means no: so a later alternative never answers for an earlier one.
 */
function writeUnion(module: Module, body: Body, def: z.core.$ZodUnionDef, value: string): string {
  if (def.inclusive === false) throw unknownKind('an exclusive union')
  const found = newVariable(body)
  for (const [index, option] of def.options.entries()) {
    if (!isSure(option)) throw unknownKind('a union of such alternatives')
    const asked = `${functionOf(module, option)}(${value})`
    body.lines.push(
      index === 0 ? `let ${found} = ${asked}` : `if (${found} === undefined) ${found} = ${asked}`,
    )
  }
  body.lines.push(`if (${found} === undefined) ${REFUSE}`)
  return found
}

function isSure(schema: Schema): boolean {
  const def = defOf(schema)
  const isPattern = (check: z.core.$ZodCheck) => check._zod.def.check === 'string_format'
  return def.type === 'enum' || (def.type === 'string' && (def.checks ?? []).every(isPattern))
}

const NO_OBJECT = "typeof value !== 'object' || value === null || Array.isArray(value)"

/**
 * An unknown field is noticed by the number of fields. A field that is given as undefined is not counted, so
 * the schema decides about it.
 */
function writeObject(module: Module, body: Body, def: z.core.$ZodObjectDef): string {
  const { lines } = body
  const others = def.catchall === undefined ? 'strip' : defOf(def.catchall).type
  if (others !== 'never' && others !== 'unknown') throw unknownKind(`an object that may have other fields`)
  const fields = Object.entries(def.shape)
  const needed = fields.filter(([, field]) => defOf(field).type !== 'optional').length
  lines.push(`if (${NO_OBJECT}) ${REFUSE}`)
  lines.push('const given = value as Readonly<Record<string, unknown>>')
  lines.push('const parsed: Record<string, unknown> = {}', `let count = ${needed}`)
  for (const [name, field] of fields) writeField(module, body, name, field)
  if (others === 'never') lines.push('for (const _name in given) count -= 1')
  else lines.push(...linesOfOthers(constantOf(module, setOf(Object.keys(def.shape)))))
  lines.push(`if (count !== 0) ${REFUSE}`)
  return 'parsed'
}

/** Copies the fields that the schema does not name. */
function linesOfOthers(names: string): string[] {
  return [
    'for (const name in given) {',
    `if (${names}.has(name)) count -= 1`,
    `else if (name === '__proto__') ${REFUSE}`,
    'else parsed[name] = given[name]',
    '}',
  ]
}

function writeField(module: Module, body: Body, name: string, schema: Schema): void {
  const { lines } = body
  const def = defOf(schema)
  const key = /^[a-z_]\w*$/i.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
  if (key === '.__proto__') throw unknownKind('a field __proto__')
  const given = newVariable(body)
  lines.push(`const ${given} = given${key}`)
  if (def.type === 'optional') {
    if ((def.checks ?? []).length > 0) throw unknownKind('a rule of a field that may be left out')
    lines.push(`if (${given} !== undefined) {`, 'count += 1')
    lines.push(`parsed${key} = ${writeCheck(module, body, def.innerType, given)}`, '}')
  } else {
    lines.push(`if (${given} === undefined) ${REFUSE}`)
    lines.push(`parsed${key} = ${writeCheck(module, body, schema, given)}`)
  }
}

/** The number of entries is checked before the entries. */
function writeArray(module: Module, body: Body, def: z.core.$ZodArrayDef): string {
  const { lines } = body
  lines.push(`if (!Array.isArray(value)) ${REFUSE}`, 'const given: readonly unknown[] = value')
  for (const check of def.checks ?? []) writeRule(module, body, check, 'given')
  lines.push('const parsed: unknown[] = []', 'for (const each of given) {')
  lines.push(`parsed.push(${writeCheck(module, body, def.element, 'each')})`, '}')
  return 'parsed'
}

function writeRecord(module: Module, body: Body, def: z.core.$ZodRecordDef): string {
  const { lines } = body
  if (defOf(def.keyType).type !== 'string') throw unknownKind('a record whose keys are no texts')
  lines.push(`if (${NO_OBJECT} || Object.getPrototypeOf(value) !== Object.prototype) ${REFUSE}`)
  lines.push('const given = value as Readonly<Record<string, unknown>>')
  lines.push('const parsed: Record<string, unknown> = {}')
  lines.push('for (const [key, each] of Object.entries(given)) {', `if (key === '__proto__') ${REFUSE}`)
  const key = writeCheck(module, body, def.keyType, 'key')
  lines.push(`parsed[${key}] = ${writeCheck(module, body, def.valueType, 'each')}`, '}')
  return 'parsed'
}

/** A rule beside the kind of a value. */
function writeRule(module: Module, body: Body, check: z.core.$ZodCheck, value: string): void {
  const { def } = (check as z.core.$ZodChecks | z.core.$ZodCustom)._zod
  const refuseIf = (condition: string) => body.lines.push(`if (${condition}) ${REFUSE}`)
  switch (def.check) {
    case 'greater_than':
      return void refuseIf(`${value} ${def.inclusive ? '<' : '<='} ${Number(def.value)}`)
    case 'less_than':
      return void refuseIf(`${value} ${def.inclusive ? '>' : '>='} ${Number(def.value)}`)
    // The schema counts code points, of which a text has at most as many as `length` says.
    case 'max_length':
      return void refuseIf(`${value}.length > ${Number(def.maximum)}`)
    case 'min_length':
      if (value !== 'given' && def.minimum > 1) throw unknownKind('a text of several characters at least')
      return void refuseIf(`${value}.length < ${Number(def.minimum)}`)
    case 'string_format':
      return void refuseIf(`!${constantOf(module, textOfPattern(def))}.test(${value})`)
    case 'custom':
      if (def.when !== undefined) throw unknownKind('a rule with a condition')
      return void refuseIf(`!${importedName(module, def.fn)}(${value})`)
    default:
      throw unknownKind(`the rule ${def.check}`)
  }
}

function textOfPattern({ format, pattern }: z.core.$ZodCheckStringFormatDef): string {
  if (format !== 'regex' || pattern === undefined || /[gy]/.test(pattern.flags))
    throw unknownKind(`the format ${format}`)
  return pattern.toString()
}
