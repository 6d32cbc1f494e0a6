/**
 * @import { Child } from './elements.js'
 * @import { Drawer } from './parts/drawer.js'
 * @import { IconName } from './parts/icons.js'
 */

/**
 * What a view gets: `place` to fill, `actions` beside the heading, and the filters of the address. Both
 * elements are removed when the user opens another view.
 * @typedef {{ place: HTMLElement, actions: HTMLElement, query: URLSearchParams }} Page
 */

/**
 * The module of a view. `open` reads a record and returns what its drawer contains.
 * @typedef {{
 *   show: (page: Page) => void | Promise<void>,
 *   open?: (drawer: Drawer, id: string) => Promise<Child[]>
 * }} ViewModule
 */

/**
 * @typedef {{
 *   path: string, title: string, icon: IconName, operators?: boolean, load: () => Promise<ViewModule>
 * }} View `path` is its part of the address; `operators`: only keys with the scope operator see it
 */

/**
 * The views in the order of the sidebar. A phone shows the first five in its bar. A view is loaded when it is
 * first opened.
 * @type {readonly [View, ...View[]]}
 */
export const VIEWS = [
  {
    path: 'overview',
    title: 'Overview',
    icon: 'overview',
    load: () => import('./views/overview.js'),
  },
  {
    path: 'transactions',
    title: 'Transactions',
    icon: 'transactions',
    load: () => import('./views/transactions.js'),
  },
  { path: 'nexus', title: 'Nexus', icon: 'nexus', load: () => import('./views/nexus.js') },
  {
    path: 'customers',
    title: 'Customers',
    icon: 'customers',
    load: () => import('./views/customers.js'),
  },
  {
    path: 'certificates',
    title: 'Certificates',
    icon: 'certificates',
    load: () => import('./views/certificates.js'),
  },
  {
    path: 'calculation',
    title: 'Calculation',
    icon: 'calculation',
    load: () => import('./views/calculation.js'),
  },
  { path: 'local-taxes', title: 'Local taxes', icon: 'map', load: () => import('./views/local-taxes.js') },
  { path: 'webhooks', title: 'Webhooks', icon: 'webhooks', load: () => import('./views/webhooks.js') },
  {
    path: 'reviews',
    title: 'Reviews',
    icon: 'reviews',
    operators: true,
    load: () => import('./views/reviews.js'),
  },
]
