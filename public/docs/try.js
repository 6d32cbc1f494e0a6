/**
 * "Try it": a form for each operation, which calls this service. The key stays in this page until it is
 * reloaded, and all forms share it.
 */
let key = ''
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
  const { method = 'GET', address = '', keyed, bodied, writes } = place.dataset
  const example = place.querySelector('template')?.content.textContent ?? ''
  const details = document.createElement('details')
  const summary = document.createElement('summary')
  summary.textContent = 'Try it'
  details.append(summary)
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1)
      details.append(
        trialForm({
          method,
          address,
          keyed: keyed !== undefined,
          writes: writes !== undefined,
          body: bodied === undefined ? null : example,
        }),
      )
  })
  place.replaceChildren(details)
}

/**
 * @param {{
 *   method: string, address: string, keyed: boolean, writes: boolean, body: string | null
 * }} operation
 * `body` is null if the operation takes none
 */
function trialForm({ method, address, keyed, writes, body }) {
  const form = document.createElement('form')
  const password = input('password', key)
  const where = input('text', address)
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
    ...(keyed ? [labelled('API key (stays in this page)', password)] : []),
    labelled('Address', where),
    ...(body === null ? [] : [labelled('Body', sent)]),
    send,
    outcome,
    answer,
  )
  if (writes) form.prepend(note('This changes the data of the account.'))
  const ask = async () => {
    key = password.value.trim()
    const missing = /\{(\w+)\}/.exec(where.value)
    if (missing !== null) {
      outcome.textContent = `Replace ${missing[0]} in the address first.`
      where.focus()
      return
    }
    send.disabled = true
    outcome.textContent = 'Sending …'
    const answered = await call(method, where.value, keyed, body === null ? null : sent.value)
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
 * @param {string} method
 * @param {string} address
 * @param {boolean} keyed
 * @param {string | null} body
 */
async function call(method, address, keyed, body) {
  // Only this service gets the key: the address is a path.
  const url = new URL(address, location.origin)
  if (url.origin !== location.origin)
    return { outcome: 'The address must be a path of this service.', text: '' }
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(keyed && { Authorization: `Bearer ${key}` }),
        ...(body !== null && { 'Content-Type': 'application/json' }),
      },
      ...(body !== null && { body }),
    })
    const text = await response.text()
    return { outcome: `${response.status} ${response.statusText}`.trim(), text: readable(text) }
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
 */
function input(type, value) {
  const made = document.createElement('input')
  made.type = type
  made.value = value
  made.required = true
  made.autocomplete = 'off'
  made.spellcheck = false
  return made
}

/**
 * @param {string} words
 * @param {HTMLElement} control
 */
function labelled(words, control) {
  const label = document.createElement('label')
  forms += 1
  control.id = `trial-${forms}`
  label.htmlFor = control.id
  label.textContent = words
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
