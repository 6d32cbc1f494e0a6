const NAME = 'api-key'

/**
 * The key that this tab keeps for reloads. The browser deletes it with the tab.
 * @returns {string | null}
 */
export function storedKey() {
  return sessionStorage.getItem(NAME)
}

/** @param {string} key */
export function storeKey(key) {
  sessionStorage.setItem(NAME, key)
}

export function forgetKey() {
  sessionStorage.removeItem(NAME)
}
