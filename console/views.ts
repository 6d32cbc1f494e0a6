import { legacy } from './legacy/legacy.tsx'
import type { IconName } from './parts/icon.tsx'
import type { ViewModule } from './view-module.ts'

/** `path` is its part of the address; `operators`: only keys with the scope operator see it. */
export type View = {
  path: string
  title: string
  icon: IconName
  operators?: boolean
  load: () => Promise<ViewModule>
}

/**
 * The views in the order of the sidebar. A phone shows the first five in its bar. A view is loaded when it is
 * first opened.
 */
export const VIEWS: readonly [View, ...View[]] = [
  { path: 'overview', title: 'Overview', icon: 'overview', load: () => import('./overview/view.tsx') },
  {
    path: 'transactions',
    title: 'Transactions',
    icon: 'transactions',
    load: () => import('./transactions/view.tsx'),
  },
  {
    path: 'returns',
    title: 'Returns',
    icon: 'returns',
    load: () => legacy(() => import('./views/returns.js')),
  },
  { path: 'nexus', title: 'Nexus', icon: 'nexus', load: () => legacy(() => import('./views/nexus.js')) },
  {
    path: 'customers',
    title: 'Customers',
    icon: 'customers',
    load: () => import('./customers/view.tsx'),
  },
  {
    path: 'certificates',
    title: 'Certificates',
    icon: 'certificates',
    load: () => legacy(() => import('./views/certificates.js')),
  },
  {
    path: 'calculation',
    title: 'Calculation',
    icon: 'calculation',
    load: () => import('./calculation/view.tsx'),
  },
  {
    path: 'local-taxes',
    title: 'Local taxes',
    icon: 'map',
    load: () => import('./local-taxes/view.tsx'),
  },
  {
    path: 'registrations',
    title: 'Registrations',
    icon: 'registrations',
    load: () => legacy(() => import('./views/registrations.js')),
  },
  {
    path: 'rates',
    title: 'Rates & sources',
    icon: 'rates',
    load: () => import('./rates/view.tsx'),
  },
  {
    path: 'webhooks',
    title: 'Webhooks',
    icon: 'webhooks',
    load: () => import('./webhooks/view.tsx'),
  },
  { path: 'keys', title: 'Keys', icon: 'keys', load: () => legacy(() => import('./views/keys.js')) },
  {
    path: 'settings',
    title: 'Settings',
    icon: 'settings',
    load: () => legacy(() => import('./views/settings.js')),
  },
  {
    path: 'reviews',
    title: 'Reviews',
    icon: 'reviews',
    operators: true,
    load: () => import('./reviews/view.tsx'),
  },
]
