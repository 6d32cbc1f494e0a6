/**
 * @import { Child } from './elements.js'
 * @typedef {{
 *   body: HTMLElement, setTitle: (title: string, beside?: Child) => void, refresh: () => Promise<void>
 * }} Drawer `refresh` reads the record again; `setTitle` may put a badge beside the title
 */

export {}
