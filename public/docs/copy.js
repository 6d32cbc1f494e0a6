/** Adds a button to each block of code that copies it. */
function addCopyButtons() {
  for (const block of document.querySelectorAll('main pre')) {
    const frame = document.createElement('div')
    frame.className = 'code'
    block.replaceWith(frame)
    frame.append(block, copyButton(block.textContent ?? ''))
  }
}

/** @param {string} text */
function copyButton(text) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  /** @param {string} words */
  const say = (words) => {
    button.textContent = words
    setTimeout(() => (button.textContent = 'Copy'), 2_000)
  }
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(text).then(
      () => say('Copied'),
      () => say('Not allowed'),
    )
  })
  return button
}

/** Opens what an address names inside of closed details, where the browser does not do it itself. */
function openTarget() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  for (let place = named; place !== null; place = place.parentElement)
    if (place instanceof HTMLDetailsElement) place.open = true
}

addEventListener('hashchange', openTarget)
openTarget()

// Browsers have no clipboard on pages without TLS.
if (navigator.clipboard) addCopyButtons()
