/** Drawn in a square of 24, with a stroke. */
const PATHS = {
  overview: 'M4 4h7v9H4zM14 4h6v5h-6zM14 12h6v8h-6zM4 16h7v4H4z',
  transactions: 'M4 8h14l-4-4M20 16H6l4 4',
  returns: 'M6 3h9l4 4v14H6zM9 12h7M9 16h7',
  nexus:
    'M12 21s7-6.5 7-11.5a7 7 0 1 0-14 0C5 14.5 12 21 12 21zM12 12a2.5 2.5 0 1 0 0-5 ' + '2.5 2.5 0 0 0 0 5z',
  customers:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20v-1.5a4 4 0 0 1 4-4h4a4 4 0 0 1 ' +
    '4 4V20M16 4.5a3.5 3.5 0 0 1 0 6.3M18 14.800a4 4 0 0 1 3 3.900V20',
  certificates: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM8.5 12l2.5 2.5 4.5-5',
  calculation: 'M6 3h12v18H6zM9 7h6M9 12h.01M12 12h.01M15 12h.01M9 16h.01M12 16h.01M15 16h.01',
  'local-taxes': 'M9 4L3 6.5V20l6-2.5 6 2.5 6-2.5V4l-6 2.5zM9 4v13.5M15 6.5V20',
  webhooks:
    'M10 14a4.5 4.5 0 0 0 6.5 0l3-3A4.6 4.6 0 0 0 13 4.5L12 5.5M14 10a4.5 4.5 0 0 ' +
    '0-6.5 0l-3 3A4.6 4.6 0 0 0 11 19.5l1-1',
  rates: 'M19 5L5 19M7.5 9.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM16.5 18.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  registrations: 'M5 21V4h12l-2 4 2 4H5',
  shops: 'M4 9l1.500-5h13L20 9M4 9v11h16V9M4 9h16M9 20v-6h6v6',
  keys: 'M15.5 4a4.5 4.5 0 1 1-3.900 6.700L4 18.3V21h3v-2h2v-2h2l2.3-2.3',
  people:
    'M12 11.500a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM5 20v-1a4.500 4.500 0 0 1 ' +
    '4.500-4.500h5A4.5 4.5 0 0 1 19 19v1M3 3h3M3 3v3M21 3h-3M21 3v3',
  reviews:
    'M2 12s3.5-6.5 10-6.5S22 12 22 12s-3.5 6.5-10 6.5S2 12 2 12zM12 15a3 3 0 1 0 0-6 ' + '3 3 0 0 0 0 6z',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.500 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM9 ' +
    '19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  leave: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  close: 'M6 6l12 12M18 6L6 18',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
}

export type IconName = keyof typeof PATHS

/** An icon. It says nothing to screen readers: put a word beside it, or a label on its button. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
