import { copyButton, element } from './elements.js'

/**
 * A secret that the service shows once. It stays until the user has stored it.
 * @param {string} name such as `The signing secret`
 * @param {string} secret
 * @param {string} advice where to put it
 * @param {() => void} done
 */
export function secretOnce(name, secret, advice, done) {
  const stored = element('button', { type: 'button', class: 'first' }, 'I have stored it')
  stored.addEventListener('click', done)
  return element(
    'section',
    { class: 'secret-once stack', 'aria-label': name },
    element('h3', {}, `${name}: it is shown only now`),
    element('code', {}, secret),
    element('p', { class: 'quiet' }, advice),
    element('div', { class: 'actions' }, copyButton(secret), stored),
  )
}
