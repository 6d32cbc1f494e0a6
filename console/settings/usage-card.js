import { callApi } from '../api.ts'
import { element, svgElement } from '../legacy/elements.js'
import { formatShare } from '../legacy/format.js'
import { withSpaces } from '../words.ts'

/**
 * @import { z } from 'zod'
 * @import { UsageAnswer } from '../../src/accounts/schemas.ts'
 */

const NEARLY_FULL = 0.85

/** The stored rows of the account beside their quotas. */
export async function usageCard() {
  /** @type {z.output<typeof UsageAnswer>} */
  const { tier, usage, requests_per_minute, lines_per_request } = await callApi('GET', '/v1/account/usage')
  return element(
    'section',
    { class: 'card stack', 'aria-labelledby': 'usage' },
    element('h2', { id: 'usage' }, `Usage, tier ${tier}`),
    element(
      'p',
      { class: 'quiet' },
      `${requests_per_minute.toLocaleString()} requests a minute, ${lines_per_request.toLocaleString()} lines in a request. `,
      'Stored rows are never deleted for a quota: a write that passes it is refused.',
    ),
    element(
      'ul',
      { class: 'usage' },
      ...Object.entries(usage).map(([name, { stored, quota }]) => usageRow(name, stored, quota)),
    ),
  )
}

/**
 * @param {string} name
 * @param {number} stored
 * @param {number} quota
 */
function usageRow(name, stored, quota) {
  const share = quota === 0 ? 0 : stored / quota
  const state = share >= 1 ? 'exceeded' : share >= NEARLY_FULL ? 'approaching' : 'below'
  const words = withSpaces(name)
  const label = `${words.charAt(0).toUpperCase()}${words.slice(1).replace('api', 'API')}`.replace(
    'Api',
    'API',
  )
  return element(
    'li',
    {},
    element('span', {}, label),
    element(
      'span',
      { class: 'quiet number' },
      `${stored.toLocaleString()} of ${quota.toLocaleString()}, ${formatShare(share)}`,
    ),
    svgElement(
      'svg',
      {
        class: `threshold-bar ${state}`,
        viewBox: '0 0 100 10',
        preserveAspectRatio: 'none',
        'aria-hidden': 'true',
      },
      svgElement('rect', { class: 'track', y: 2, width: 100, height: 6 }),
      svgElement('rect', { class: 'reached', y: 2, width: Math.min(100, share * 100), height: 6 }),
    ),
  )
}
