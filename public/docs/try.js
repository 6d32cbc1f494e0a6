/**
 * "Try it": a form for each operation, which calls this service. It takes the API key that the console keeps for
 * this tab, and keeps one that is typed in the same place: the browser deletes it with the tab.
 *
 * @typedef {{ name: string, in: string, required?: boolean, value: string }} Parameter
 * @typedef {{
 *   method: string, address: string, keyed: boolean, writes: boolean, fields: Parameter[], body: string | null
 * }} Operation `body` is null if the operation takes none
 */
const KEY_OF_TAB = 'api-key'
let forms = 0

for (const place of document.querySelectorAll('.trial')) if (place instanceof HTMLElement) addTrial(place)
for (const choice of document.querySelectorAll('.samples input'))
  choice.addEventListener('change', () => chooseEverywhere(choice))

/** @param {Element} choice */
function chooseEverywhere(choice) {
  if (!(choice instanceof HTMLInputElement)) return
  for (const other of document.querySelectorAll('.samples input'))
    if (other instanceof HTMLInputElement && other.value === choice.value) other.checked = true
}

/** @param {HTMLElement} place */
function addTrial(place) {
  const { method = 'GET', address = '', keyed, bodied, writes, fields = '[]' } = place.dataset
  const example = place.querySelector('template')?.content.textContent ?? ''
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Try it'
  button.addEventListener('click', () => {
    const form = trialForm({
      method,
      address,
      keyed: keyed !== undefined,
      writes: writes !== undefined,
      fields: JSON.parse(fields),
      body: bodied === undefined ? null : example,
    })
    place.replaceChildren(form)
    form.querySelector('input')?.focus()
  })
  place.replaceChildren(button)
}

/** @param {Operation} operation */
function trialForm({ method, address, keyed, writes, fields, body }) {
  const form = document.createElement('form')
  const password = input('password', sessionStorage.getItem(KEY_OF_TAB) ?? '', true)
  const given = fields.map((field) => ({
    ...field,
    control: input('text', field.value, field.required === true),
  }))
  const sent = document.createElement('textarea')
  sent.value = body ?? ''
  sent.rows = Math.min(16, sent.value.split('\n').length + 1)
  sent.spellcheck = false
  const send = document.createElement('button')
  send.textContent = `Send ${method}`
  const outcome = document.createElement('p')
  outcome.setAttribute('role', 'status')
  const answer = document.createElement('pre')
  answer.tabIndex = 0
  answer.hidden = true
  form.append(
    ...(writes ? [note('This changes the data of the account.')] : []),
    ...(keyed ? [labelled('API key', 'stays in this tab', password)] : []),
    ...given.map(({ name, in: place, required, control }) =>
      labelled(name, required ? `${place}, required` : place, control),
    ),
    ...(body === null ? [] : [labelled('Body', 'JSON', sent)]),
    send,
    outcome,
    answer,
  )
  const ask = async () => {
    if (keyed) sessionStorage.setItem(KEY_OF_TAB, password.value.trim())
    send.disabled = true
    outcome.textContent = 'Sending …'
    const request = requestOf(
      address,
      given.map(({ control, ...each }) => ({ ...each, value: control.value })),
    )
    const key = keyed ? password.value.trim() : null
    const answered = await call(method, request, key, body === null ? null : sent.value)
    send.disabled = false
    outcome.textContent = answered.outcome
    answer.textContent = answered.text
    answer.hidden = answered.text === ''
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void ask()
  })
  return form
}

/**
 * The path with its parts, the query and the headers of the parameters that have a value. What a reader types can
 * only be a part of a path of this service.
 * @param {string} address
 * @param {Parameter[]} parameters
 */
function requestOf(address, parameters) {
  const valued = parameters.filter(({ value }) => value.trim() !== '')
  const valueOf = new Map(valued.map(({ name, value }) => [name, value.trim()]))
  const path = address.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(valueOf.get(name) ?? ''))
  const url = new URL(path, location.origin)
  /** @type {Record<string, string>} */
  const headers = {}
  for (const { name, in: place, value } of valued)
    if (place === 'query') url.searchParams.set(name, value.trim())
    else if (place === 'header') headers[name] = value.trim()
  return { url, headers }
}

/**
 * @param {string} method
 * @param {{ url: URL, headers: Record<string, string> }} request
 * @param {string | null} key
 * @param {string | null} body
 */
async function call(method, { url, headers }, key, body) {
  const odd = [key ?? '', ...Object.values(headers)].find((value) => !/^[\x20-\x7e]*$/.test(value))
  if (odd !== undefined)
    return {
      outcome: `Not sent: a key and a header have plain letters alone, and “${odd}” has others.`,
      text: '',
    }
  const began = performance.now()
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...headers,
        ...(key !== null && { Authorization: `Bearer ${key}` }),
        ...(body !== null && { 'Content-Type': 'application/json' }),
      },
      ...(body !== null && { body }),
    })
    const text = await response.text()
    const took = Math.round(performance.now() - began)
    const status = `${response.status} ${response.statusText}`.trim()
    return { outcome: `${status}, ${took} ms`, text: readable(text) }
  } catch {
    return { outcome: 'The service did not answer.', text: '' }
  }
}

/** @param {string} text */
function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/**
 * @param {string} type
 * @param {string} value
 * @param {boolean} required
 */
function input(type, value, required) {
  const made = document.createElement('input')
  made.type = type
  made.value = value
  made.required = required
  made.autocomplete = 'off'
  made.spellcheck = false
  return made
}

/**
 * @param {string} name
 * @param {string} says
 * @param {HTMLElement} control
 */
function labelled(name, says, control) {
  const label = document.createElement('label')
  forms += 1
  control.id = `trial-${forms}`
  label.htmlFor = control.id
  const strong = document.createElement('b')
  strong.textContent = name
  label.append(strong, ` ${says}`)
  const frame = document.createElement('div')
  frame.append(label, control)
  return frame
}

/** @param {string} words */
function note(words) {
  const paragraph = document.createElement('p')
  paragraph.className = 'quiet'
  paragraph.textContent = words
  return paragraph
}
