import { Failure, readFile } from '../api.ts'
import { button, element, field, list, select } from '../legacy/elements.js'
import { parseMoney } from '../legacy/format.js'
import { download } from '../download.ts'
import { load } from '../legacy/load.js'
import { toast } from '../parts/toast.tsx'
import { filesOf, LAYOUTS } from './forms.ts'
import { missingItem } from './missing-words.js'

/**
 * @import { FileField } from './forms.ts'
 * @import { TaxReturn } from './read-return.ts'
 * @typedef {{ path: string, query: Record<string, string | null>, ended: boolean }} FileAddress without the
 * format; `ended`: the period has ended
 */

/**
 * The files of a return: a choice of layouts, what each still needs, and the download.
 * @param {TaxReturn} shown
 * @param {Record<string, string | null>} asked the query of the period
 */
export function returnFiles({ figures, filed }, asked) {
  const files = filesOf(figures.type)
  const format = select(
    files.map((file) => [file.format, file.name]),
    files[0]?.format ?? 'csv',
  )
  /** @type {FileAddress} */
  const address =
    filed === null
      ? { path: '/v1/reports/filing/file', query: asked, ended: figures.period_ended }
      : { path: `/v1/returns/${filed.id}/file`, query: {}, ended: true }
  const place = element('div', { class: 'stack' })
  const show = () => {
    const file = files.find((each) => each.format === format.value)
    if (file !== undefined) place.replaceChildren(...partsOf(file, address))
  }
  format.addEventListener('change', show)
  show()
  return element(
    'section',
    { class: 'card stack', 'aria-labelledby': 'files' },
    element('h2', { id: 'files' }, 'Files'),
    field('Layout', format),
    place,
  )
}

/**
 * @param {ReturnType<typeof filesOf>[number]} file
 * @param {FileAddress} address
 */
function partsOf({ format, layout, fields }, address) {
  const inputs = fields.map((each) => ({ each, control: controlOf(each) }))
  const missing = element('div', { role: 'status' })
  const failed = element('div', {})
  const query = () => ({ ...address.query, format, ...valuesOf(inputs) })
  const check = () => load(missing, () => missingOf(address.path, query(), inputs), { lines: 1 })
  const save = button('Download', failed, async () => {
    try {
      await download(address.path, query(), `return.${format.includes('json') ? 'json' : 'csv'}`)
    } catch (thrown) {
      if (!isIncomplete(thrown)) throw thrown
      return check()
    }
    toast('The file is downloaded')
    await check()
  })
  save.classList.add('first')
  for (const { control } of inputs) control.addEventListener('change', () => void check().catch(() => {}))
  // The file of a long period reads all its lines, so it is only tried by itself after the end of the period.
  if (address.ended) void check()
  return [
    element('p', { class: 'quiet small' }, LAYOUTS[layout]),
    inputs.length === 0 ? null : element('div', { class: 'fields' }, ...inputs.map(fieldOf)),
    missing,
    element('div', { class: 'actions' }, save),
    failed,
  ].filter((part) => part !== null)
}

/** @typedef {{ each: FileField, control: HTMLInputElement | HTMLSelectElement }} Input */

/** @param {FileField} field */
function controlOf({ as }) {
  if (as === 'chart')
    return select(
      [
        ['', 'Choose…'],
        ['skr03', 'SKR03'],
        ['skr04', 'SKR04'],
      ],
      '',
    )
  if (as === 'declaration') return element('input', { type: 'checkbox' })
  return element('input', { autocomplete: 'off', inputmode: as === 'money' ? 'decimal' : 'text' })
}

/** @param {Input} input */
function fieldOf({ each, control }) {
  if (each.as !== 'declaration') return field(each.label, control, each.hint)
  return element('label', { class: 'check' }, control, element('span', {}, each.label))
}

/**
 * The typed values, as the API takes them. Throws a Failure that names a field.
 * @param {Input[]} inputs
 */
function valuesOf(inputs) {
  return Object.fromEntries(inputs.map(({ each, control }) => [each.name, valueOf(each, control)]))
}

/**
 * @param {FileField} field
 * @param {HTMLInputElement | HTMLSelectElement} control
 */
function valueOf({ as, currency = 'GBP', label }, control) {
  if (control instanceof HTMLInputElement && as === 'declaration') return control.checked ? 'true' : null
  const typed = control.value.trim()
  if (typed === '') return null
  return as === 'money' ? String(parseMoney(typed, currency, label)) : typed
}

/**
 * A list of the parts that the file lacks. Fields that are asked here are named by their labels.
 * @param {string} path
 * @param {Record<string, string | null>} query
 * @param {Input[]} inputs
 */
async function missingOf(path, query, inputs) {
  try {
    await readFile(path, query)
    return element('p', { class: 'complete' }, 'Nothing is missing: the file is complete.')
  } catch (thrown) {
    if (!isIncomplete(thrown)) throw thrown
    const names = new Set(thrown.errors.map((error) => error.path))
    const empty = inputs.filter(({ each }) => names.has(each.name)).map(({ each }) => each.label)
    const others = thrown.errors.filter((error) => !inputs.some(({ each }) => each.name === error.path))
    return element(
      'div',
      { class: 'missing' },
      element('h3', {}, 'Missing before this file can be made'),
      list([...(empty.length === 0 ? [] : [`Fill in: ${empty.join('; ')}`]), ...others.map(missingItem)]),
    )
  }
}

/**
 * @param {unknown} thrown
 * @returns {thrown is Failure}
 */
function isIncomplete(thrown) {
  return thrown instanceof Failure && thrown.reason === 'file_incomplete'
}
