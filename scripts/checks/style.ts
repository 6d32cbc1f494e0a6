import { posix } from 'node:path'

/** The text of each file by its path. */
export type Sources = ReadonlyMap<string, string>

/** One breach of a rule. Lines count from 1. */
export type Fault = { path: string; line: number; message: string }

const COLUMNS_MAX = 110

/** The declaration of a type, not its import: `type X =`, `type X<T> =`, `interface X`. */
const TYPE = /^[ \t]*(?:export )?(?:declare )?(?:type (\w+)(?=<| =)|interface (\w+))/gm

/** Only one file may declare a type name. Returns each declaration of a name that several files declare. */
export function repeatedTypes(sources: Sources): (Fault & { name: string })[] {
  const declared = new Map<string, { path: string; line: number }[]>()
  for (const [path, text] of sources) {
    for (const found of text.matchAll(TYPE)) {
      const name = found[1] ?? found[2] ?? ''
      const line = text.slice(0, found.index).split('\n').length
      declared.set(name, [...(declared.get(name) ?? []), { path, line }])
    }
  }
  return [...declared].flatMap(([name, places]) =>
    new Set(places.map(({ path }) => path)).size < 2
      ? []
      : places.map((place) => ({ ...place, name, message: `the type ${name} is declared in several files` })),
  )
}

/** Lines over 110 columns, without lines of one literal that cannot be broken. */
export function longLines(sources: Sources): Fault[] {
  return faultsOfLines(sources, (line) => {
    const { length } = Array.from(line)
    return length > COLUMNS_MAX && !isUnbreakable(line)
      ? `the line has ${length} columns, of at most ${COLUMNS_MAX}`
      : null
  })
}

/**
 * Whether a line is one address, string without a blank, or regular expression, in code or in a comment. It
 * may begin with the name of its field or constant.
 */
export function isUnbreakable(line: string): boolean {
  const literal = /^\s*(?:\/\/|\*|\/\*\*)?\s*(?:(?:const )?[\w'-]+ ?[:=] )?(\S.*?)[,;)]*(?: \*\/)?$/.exec(
    line,
  )?.[1]
  if (literal === undefined) return false
  return /^https?:\/\/\S+$/.test(literal) || /^(['"`])(?:(?!\1)\S)*\1$/.test(literal) || isRegExp(literal)
}

function isRegExp(text: string): boolean {
  return /^\/(?![/*])(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[a-z]*$/.test(text)
}

/**
 * The rules of a country belong to its regime, so other files do not contain its code: `'US'`, nor `'US-'`,
 * with which the ids of its states begin. A file whose name begins with the code, such as us-state.ts, is the
 * country's own. `codes` has those of each regime. On an invoice, `AE` is a category of EN 16931 too.
 */
export function countryLiterals(sources: Sources, codes: readonly (readonly string[])[]): Fault[] {
  const literal = new RegExp(`'(${codes.flat().join('|')})(?:-[*]?)?'`, 'g')
  return [...sources].flatMap(([path, text]) => {
    const [prefix = ''] = posix.basename(path).toUpperCase().split('-')
    const own = codes.find((each) => each.includes(prefix)) ?? []
    return faultsOfLines(new Map([[path, text]]), (line) => {
      const [found] = [...line.matchAll(literal)].filter(
        ([, code = '']) => !own.includes(code) && !(code === 'AE' && path.includes('invoice')),
      )
      return found === undefined ? null : `${found[0]} belongs to src/engine/regimes/`
    })
  })
}

/**
 * The wings from the ground up, all folders of src/ and collectors/ beside them. Each has its folders and
 * files from the ground up too. Without any, their order is free.
 */
export const FLOORS: Readonly<Record<string, readonly string[]>> = {
  'src/engine': [
    'ground',
    'arithmetic',
    'book',
    'sale',
    'regimes',
    'found',
    'supply',
    'terms',
    'parts',
    'einvoice',
    'answer',
    'words',
  ],
  'src/platform': [
    'release.ts',
    'errors.ts',
    'regions.ts',
    'read-xml.ts',
    'kit',
    'queue',
    'tiers.ts',
    'database',
    'bindings.ts',
    'own-addresses.ts',
    'quotas.ts',
    'invocation-budget.ts',
    'each-apart.ts',
    'context.ts',
    'writes',
    'http',
    'audit',
  ],
  'src/notices': ['events', 'delivery', 'subscriptions', 'messages'],
  'src/tax-data': ['product-codes', 'records', 'status', 'reviews', 'metadata', 'suggestions'],
  collectors: [],
  'src/parties': [
    'people',
    'accounts',
    'platform-accounts',
    'addresses',
    'exemptions',
    'vat',
    'customers',
    'vat-checks',
    'certificate-requests',
  ],
  'src/sales': [
    'sealed',
    'transactions/sums',
    'nexus',
    'calculation',
    'transactions/sale',
    'transactions/read',
    'transactions/give-back',
    'transactions/record',
    'transactions',
  ],
  'src/returns': [
    'rows',
    'forms',
    'due',
    'registrations',
    'archive',
    'filing',
    'documents',
    'kept',
    'oss-records',
    'reports',
    'obligations',
    'recorded-sale',
  ],
  'src/interfaces': [
    'request',
    'account-routes.ts',
    'pages',
    'example-books',
    'overview',
    'taxjar',
    'saleor',
    'features.generated.ts',
    'routes.ts',
    'mcp',
  ],
  'src/service': [
    'shards',
    'backups',
    'erasures',
    'tell-operator.ts',
    'jobs.ts',
    'consume.ts',
    'background.ts',
    'app.ts',
    'feature-groups.generated.ts',
    'route-groups.ts',
    'checkout.ts',
    'entry-points.ts',
  ],
}

export const WINGS: readonly string[] = Object.keys(FLOORS)

/**
 * A wing imports only wings below it, and of all other folders only data/. Within a wing, a folder imports
 * only folders below it. src/worker.ts, which lies in no wing, may import all of them.
 */
export function importsUpward(sources: Sources): Fault[] {
  return [...sources].flatMap(([path, text]) =>
    [...text.matchAll(/(?:from |import\(\s*|import )['`](\.[^'`]+)['`]/g)].flatMap((found) => {
      const to = posix.join(posix.dirname(path), found[1] ?? '')
      const what = to.startsWith('data/') ? null : whyNot(path, to)
      const line = text.slice(0, found.index).split('\n').length
      return what === null ? [] : [{ path, line, message: `${to} is ${what}` }]
    }),
  )
}

/** What keeps a file from the import of another; null: nothing. */
function whyNot(path: string, to: string): string | null {
  if (wingOf(to) < wingOf(path)) return null
  if (wingOf(to) > wingOf(path))
    return /^(src|collectors)\//.test(to) ? 'in a higher wing' : 'no part of the Worker'
  return floorOf(to) > floorOf(path) ? 'in a higher folder of its wing' : null
}

function wingOf(path: string): number {
  const wing = WINGS.findIndex((each) => path.startsWith(`${each}/`))
  return wing < 0 ? WINGS.length + (path.startsWith('src/') ? 0 : 1) : wing
}

/** The place of a file in its wing; -1: the wing does not name it. */
function floorOf(path: string): number {
  const wing = WINGS[wingOf(path)] ?? ''
  return (FLOORS[wing] ?? []).findIndex((each) => `${path}/`.startsWith(`${wing}/${each}/`))
}

/** Files of a wing with an order that the order does not name. */
export function filesWithoutFloor(paths: Iterable<string>): string[] {
  return [...paths].filter((path) => {
    const floors = FLOORS[WINGS[wingOf(path)] ?? ''] ?? []
    return floors.length > 0 && floorOf(path) < 0
  })
}

/** A declaration that other files can import: `export const x`, `export type X`. */
const EXPORTED =
  /^export (?:declare |async |abstract )*(?:function\*?|const|let|class|type|interface|enum) (\w+)/gm

/** The names and the file of `import { a, type B as C } from './x.ts'`, and of the same with `export`. */
const IMPORTED = /^\s*(?:import|export)(?: type)? \{([^}]*)\} from '(\.[^']+)'/gm

/** A file that is imported as a whole, or at run time. All that it exports counts as read. */
const WHOLE = /(?:import(?: type)? \* as \w+ from |export \* from |import\()'(\.[^']+)'/g

/** Exports of `declaring` that no other file of `readers` imports. */
export function unreadExports(declaring: Sources, readers: Sources): (Fault & { name: string })[] {
  const read = new Set<string>()
  for (const [path, text] of readers) {
    const fileOf = (imported = '') => posix.join(posix.dirname(path), imported)
    for (const [, names = '', from] of text.matchAll(IMPORTED))
      for (const [, name] of names.matchAll(/(?:^|,)\s*(?:type )?(\w+)/g)) read.add(`${fileOf(from)} ${name}`)
    for (const [, from] of text.matchAll(WHOLE)) read.add(`${fileOf(from)} *`)
  }
  return [...declaring].flatMap(([path, text]) =>
    [...text.matchAll(EXPORTED)].flatMap(({ 1: name = '', index }) => {
      if (read.has(`${path} *`) || read.has(`${path} ${name}`)) return []
      const line = text.slice(0, index).split('\n').length
      return [{ path, line, name, message: `no other file imports ${name}: do not export it` }]
    }),
  )
}

/** Only a comparison and a search for a text need no bound. */
const UNBOUNDED = /\bheaders\??\.get\((?!'[\w-]+'\)(?: ===|\?\.includes\())|\breq\.header\(/i

/** A caller chooses the length of a header, so `readHeader` reads it and bounds it. */
export function unboundedHeaders(sources: Sources): Fault[] {
  return faultsOfLines(sources, (line) =>
    UNBOUNDED.test(line) ? 'a header of a request is read by readHeader' : null,
  )
}

function faultsOfLines(sources: Sources, messageOf: (line: string) => string | null): Fault[] {
  return [...sources].flatMap(([path, text]) =>
    text.split('\n').flatMap((line, index) => {
      const message = messageOf(line)
      return message === null ? [] : [{ path, line: index + 1, message }]
    }),
  )
}
