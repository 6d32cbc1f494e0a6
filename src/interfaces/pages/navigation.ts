export const SERVICE_NAME = 'Tax Compliance Service'

/** The sign of public/favicon.svg, beside the name. */
export const LOGO =
  '<svg class="logo" viewBox="0 0 32 32" aria-hidden="true">' +
  '<rect width="32" height="32" rx="7" fill="#2563eb"/>' +
  '<path d="M9 23 23 9" stroke="#fff" stroke-width="3" stroke-linecap="round"/>' +
  '<circle cx="11" cy="11" r="3" fill="none" stroke="#fff" stroke-width="2.5"/>' +
  '<circle cx="21" cy="21" r="3" fill="none" stroke="#fff" stroke-width="2.5"/></svg>'

/** The pages that the header of every page links to. */
export const NAVIGATION = [
  { href: '/', name: 'Calculator' },
  { href: '/jurisdictions', name: 'Rates' },
  { href: '/coverage', name: 'Coverage' },
  { href: '/status', name: 'Status' },
  { href: '/docs/', name: 'Docs' },
  { href: '/console/', name: 'Console' },
] as const
