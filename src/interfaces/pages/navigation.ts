export const SERVICE_NAME = 'Tax Compliance Service'

/** The pages that the header of every page links to. */
export const NAVIGATION = [
  { href: '/', name: 'Calculator' },
  { href: '/jurisdictions', name: 'Rates' },
  { href: '/coverage', name: 'Coverage' },
  { href: '/status', name: 'Status' },
  { href: '/docs/', name: 'Docs' },
  { href: '/console/', name: 'Console' },
] as const
