import { type Child, useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import { download, Failure, type Query, readFile } from '../api.ts'
import { parseMoney } from '../format.ts'
import { Deeds, toast } from '../parts/changes.tsx'
import { Check, Input, Select, Typed } from '../parts/form.tsx'
import { List, Loaded, useLoading } from '../parts/load.tsx'
import { Section } from '../parts/parts.tsx'
import { periodWords } from '../words.ts'
import { type FileField, filesOf, LAYOUTS } from './forms.ts'
import type { TaxReturn } from './return.ts'

/** The id of the form of a file: fields in the boxes of the return belong to it, too. */
export const FILE_FORM = 'file-of-return'

/**
 * The address of a file, without its format. `ended`: the period has ended. `without`: the currencies of
 * sales that have no exchange rate.
 */
type FileAddress = { path: string; query: Query; ended: boolean; without: readonly string[] }
type Layout = ReturnType<typeof filesOf>[number]

/** The files of a return: a choice of layouts, what each still needs, and the download. */
export function Files({ of: { figures, filed }, asked }: { of: TaxReturn; asked: Query }) {
  const files = filesOf(figures.type)
  const [format, setFormat] = useState(files[0]?.format ?? 'csv')
  const file = files.find((each) => each.format === format)
  const choices = Object.fromEntries(files.map((each) => [each.format, each.name]))
  const without = figures.unconverted.map(({ currency }) => currency)
  const address =
    filed === null
      ? { path: '/v1/reports/filing/file', query: asked, ended: figures.period_ended, without }
      : { path: `/v1/returns/${filed.id}/file`, query: {}, ended: true, without }
  return (
    <Section title="Files" card>
      <Select label="Layout" name="format" choices={choices} chosen={format} changed={setFormat} />
      {file && <OneFile key={format} file={file} address={address} />}
    </Section>
  )
}

/** What is missing is named as soon as the file is opened, and marked when something was typed. */
function OneFile({ file, address }: { file: Layout; address: FileAddress }) {
  const { format, layout, fields, command } = file
  const form = useRef<HTMLFormElement>(null)
  const [typed, setTyped] = useState(false)
  // The file of a long period reads all its lines, so it is only tried by itself after the end of the period.
  const tried = useRef(address.ended)
  const query = () => ({
    ...address.query,
    format,
    ...(form.current && valuesOf(new Typed(form.current), fields)),
  })
  const loading = useLoading(() => missingOf(address.path, query, fields, tried.current === true), [])
  const check = () => {
    tried.current = true
    return loading.again()
  }
  useLayoutEffect(() => {
    const change = ({ target }: Event) => {
      if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return
      if (target.form !== form.current) return
      setTyped(true)
      void check()
    }
    addEventListener('change', change)
    return () => removeEventListener('change', change)
  }, [])
  const outside = fields.filter(({ box }) => box === undefined)
  const save = async () => {
    try {
      await download(address.path, query(), `return.${format.includes('json') ? 'json' : 'csv'}`)
      toast('The file is downloaded')
    } catch (thrown) {
      if (!isIncomplete(thrown)) throw thrown
      setTyped(true)
    }
    await check()
  }
  return (
    <>
      <p class="quiet small">{LAYOUTS[layout]}</p>
      {command && (
        <p>
          {`Goes to ${command.office} by `}
          <a href={command.page}>
            <code>{command.name}</code>
          </a>
        </p>
      )}
      <form id={FILE_FORM} ref={form} onSubmit={(event: Event) => event.preventDefault()}>
        {outside.length > 0 && (
          <div class="fields">
            {outside.map((field) => (
              <FieldOf {...field} />
            ))}
          </div>
        )}
      </form>
      <div role="status">
        <Loaded
          of={loading}
          lines={1}
          show={(missing) => <Missing of={missing} marked={typed} without={address.without} />}
        />
      </div>
      <Deeds of={[{ name: 'Download', act: save }]} />
    </>
  )
}

function FieldOf({ name, label, hint, as, choices }: FileField) {
  const told = { label, name, children: hint }
  if (as === 'declaration') return <Check name={name}>{label}</Check>
  if (choices !== undefined) return <Select {...told} choices={{ '': 'Choose…', ...choices }} chosen="" />
  return <Input {...told} inputmode={as === 'money' ? 'decimal' : 'text'} />
}

/** The typed values, as the API takes them. Throws a Failure that names a field. */
function valuesOf(typed: Typed, fields: readonly FileField[]): Record<string, string | null> {
  const valueOf = ({ name, as, currency = 'GBP', label }: FileField) => {
    if (as === 'declaration') return typed.isChecked(name) ? 'true' : null
    const text = typed.optional(name)
    return text !== null && as === 'money' ? String(parseMoney(text, currency, label)) : text
  }
  return Object.fromEntries(fields.map((field) => [field.name, valueOf(field)]))
}

/** What a file lacks before it is made; `untried`: not known. `by_hand`: what a file that is made has not. */
type MissingParts = { by_hand: readonly string[] } | 'untried' | Child[]

/** Fields that are asked here are named by their labels. */
async function missingOf(
  path: string,
  query: () => Query,
  fields: readonly FileField[],
  tried: boolean,
): Promise<MissingParts> {
  if (!tried) return 'untried'
  try {
    const { by_hand } = await readFile(path, query())
    return { by_hand }
  } catch (thrown) {
    if (!isIncomplete(thrown)) throw thrown
    const paths = new Set(thrown.errors.map((error) => error.path))
    const empty = fields.filter(({ name }) => paths.has(name)).map(({ label }) => label)
    const others = thrown.errors.filter((error) => !fields.some(({ name }) => name === error.path))
    return [...(empty.length === 0 ? [] : [`Fill in: ${empty.join('; ')}`]), ...others.map(missingWords)]
  }
}

function Missing({ of, marked, without }: { of: MissingParts; marked: boolean; without: readonly string[] }) {
  if (of === 'untried') return null
  if (!Array.isArray(of) && of.by_hand.length > 0)
    return (
      <div class="missing">
        <h3>Not in the file. Enter it by hand</h3>
        <List lines={of.by_hand} />
      </div>
    )
  // A layout for people is made without the sales that a tax office must have.
  if (!Array.isArray(of) && without.length > 0)
    return (
      <p class="missing">
        The file can be made, but it is incomplete. The sales in {without.join(', ')} are missing, because
        they have no exchange rate.
      </p>
    )
  if (!Array.isArray(of)) return <p class="complete">The file is complete.</p>
  return (
    <div class={marked ? 'missing' : 'quiet'}>
      <h3>Missing before this file can be made</h3>
      <List lines={of} />
    </div>
  )
}

function isIncomplete(thrown: unknown): thrown is Failure {
  return thrown instanceof Failure && thrown.reason === 'file_incomplete'
}

type Named = string | ((found: string, ...parts: string[]) => string)

/** The parts of a return that an error can name: their names, and where each is mended. */
const PARTS: readonly (readonly [at: RegExp, name: Named, href?: string])[] = [
  [/^seller\.country$/, 'Your country', '#/settings'],
  [/^seller\.vat_id$/, 'Your VAT id', '#/settings'],
  [/^registrations\.(.+)$/, 'The registration in $1', '#/registrations'],
  [/^(?:transactions\.)?(txn_[0-9a-z]+).*/, '$1', '#/transactions/$1'],
  [/^corrections\.(.+)\.(.+)$/, (_, of, period = '') => `The correction of ${periodWords(period)}, ${of}`],
  [/^supplies\.(.+)$/, 'The supply $1'],
  [/^supplies$/, 'The return'],
  [/^fx_rates$/, 'Exchange rates'],
  [/^period$/, 'The period'],
  [/^jurisdiction_id$/, 'The state'],
]

/** A missing part of a file, in words. If another view can mend it, the name is a link there. */
function missingWords({ path, message }: { path: string; message: string }): Child {
  const [at, name, href] = PARTS.find(([each]) => each.test(path)) ?? []
  if (at === undefined || name === undefined) return `${path}: ${message}`
  const shown = typeof name === 'string' ? path.replace(at, name) : path.replace(at, name)
  return (
    <span>
      {href === undefined ? shown : <a href={path.replace(at, href)}>{shown}</a>}: {message}
    </span>
  )
}
