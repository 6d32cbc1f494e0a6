import { UsageCard } from './usage.tsx'
import { ProfileCard } from './profile.tsx'
import { CalendarCard } from './calendar.tsx'
import { may } from '../scopes.ts'

/** The profile of the seller, usage, and the calendar address. */
export function View() {
  return (
    <div class="settings">
      <ProfileCard />
      <div class="stack">
        <UsageCard />
        {may('reports:read') && <CalendarCard />}
      </div>
    </div>
  )
}
