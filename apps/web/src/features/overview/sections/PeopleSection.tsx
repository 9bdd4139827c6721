import type { ActiveTime } from '@postil/contract/active-time.ts'
import type { Insights, PersonInsights } from '@postil/contract/insights.ts'
import { Link } from '@tanstack/react-router'
import { formatAgo, formatDateTime } from '#i18n/format.ts'
import { formatDuration } from '#i18n/format-duration.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Avatar } from '#ui/marks/Avatar.tsx'
import { useOverview } from '../context.ts'
import { addDays, todayIn } from '../parts/day-bars.ts'
import { formatPerDay } from '../parts/format.ts'
import { Panel, TableScroller } from '../parts/Panel.tsx'
import partStyles from '../parts/parts.module.css'
import { Count, RecordsLink } from '../parts/RecordsLink.tsx'
import styles from './sections.module.css'

const shownDays = 14

/** The number of submitted answers on each day of the last two weeks. The scale is the same for everyone. */
const Sparkline = ({ counts, highest }: { readonly counts: readonly number[]; readonly highest: number }) => (
  <svg className={styles['spark']} viewBox={`0 0 ${shownDays * 8} 24`} preserveAspectRatio="none" aria-hidden="true">
    {counts.map((count, index) => {
      const height = count === 0 ? 1 : Math.max(2, (count / highest) * 24)
      return (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: the days have fixed places
          key={index}
          x={index * 8 + 1}
          y={24 - height}
          width={6}
          height={height}
          fill="currentColor"
          opacity={count === 0 ? 0.35 : 1}
        />
      )
    })}
  </svg>
)

/** Seconds with one decimal, as a number, so that users can calculate with the copied table. */
const seconds = (ms: number): number => Math.round(ms / 100) / 10

const timesOf = ({ active_time: time }: PersonInsights): readonly (number | null)[] =>
  time === null ? [null, null, null] : [seconds(time.lower_ms), seconds(time.median_ms), seconds(time.upper_ms)]

/** The median, and the quartiles if there is more than one answer. */
const Time = ({ answers, lower_ms, median_ms, upper_ms }: ActiveTime) => (
  <>
    {formatDuration(median_ms)}
    {answers > 1 && (
      <span className={styles['quartiles']}>
        {formatDuration(lower_ms)} – {formatDuration(upper_ms)}
      </span>
    )}
  </>
)

export const PeopleSection = ({ insights }: { readonly insights: Insights }) => {
  const { t } = useTranslation('features/overview')
  const { people, dataset } = useOverview()
  const today = todayIn(new Date())
  const recent = Array.from({ length: shownDays }, (_, i) => addDays(today, i - shownDays + 1))
  const countsOf = ({ days }: PersonInsights): readonly number[] => {
    const byDay = new Map(days.map(({ day, submitted }) => [day, submitted]))
    return recent.map((day) => byDay.get(day) ?? 0)
  }
  const highest = Math.max(1, ...insights.people.flatMap(countsOf))
  const hasTimes = insights.people.some(({ active_time }) => active_time !== null)
  const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0)
  return (
    <Panel
      title={t('section.people')}
      hint={t('people.hint')}
      sheet={{
        head: [
          t('people.name'),
          t('status.submitted'),
          t('status.discarded'),
          t('status.draft'),
          t('people.perDay'),
          t('people.recent'),
          ...(hasTimes ? [t('people.timeLower'), t('people.timeMedian'), t('people.timeUpper')] : []),
          t('people.lastSeen'),
        ],
        rows: insights.people.map((person) => [
          people.nameOf(person.user_id),
          person.submitted,
          person.discarded,
          person.draft,
          person.per_day,
          sum(countsOf(person)),
          ...(hasTimes ? timesOf(person) : []),
          person.last_seen,
        ]),
      }}
    >
      <TableScroller label={t('section.people')}>
        <table className={partStyles['table']}>
          <thead>
            <tr>
              <th scope="col">{t('people.name')}</th>
              <th scope="col" data-number="">
                {t('status.submitted')}
              </th>
              <th scope="col" data-number="">
                {t('status.discarded')}
              </th>
              <th scope="col" data-number="">
                {t('status.draft')}
              </th>
              <th scope="col" data-number="" title={t('people.perDayHint')}>
                {t('people.perDay')}
              </th>
              <th scope="col">{t('people.recent')}</th>
              {hasTimes && (
                <th scope="col" data-number="" title={t('people.timeHint')}>
                  {t('people.time')}
                </th>
              )}
              <th scope="col">{t('people.lastSeen')}</th>
            </tr>
          </thead>
          <tbody>
            {insights.people.map((person) => {
              const { user_id: by, submitted, discarded, draft, per_day, last_seen, active_time } = person
              const counts = countsOf(person)
              return (
                <tr key={by}>
                  <th scope="row">
                    <span className={styles['name']}>
                      <Avatar name={people.nameOf(by)} size="mini" />
                      <bdi>{people.nameOf(by)}</bdi>
                    </span>
                  </th>
                  <td data-number="">
                    <Count value={submitted} search={{ by }} />
                  </td>
                  <td data-number="">
                    <Count value={discarded} search={{ by, given: 'discarded' }} />
                  </td>
                  <td data-number="">
                    <Count value={draft} search={{ by, given: 'draft' }} />
                  </td>
                  <td data-number="">{per_day === null ? '–' : formatPerDay(per_day)}</td>
                  <td>
                    <RecordsLink
                      search={{ by, from: recent[0]!, to: today }}
                      className={styles['sparkLink']}
                      label={t('people.recentCount', { count: sum(counts), shown: sum(counts) })}
                    >
                      <Sparkline counts={counts} highest={highest} />
                    </RecordsLink>
                  </td>
                  {hasTimes && <td data-number="">{active_time === null ? '–' : <Time {...active_time} />}</td>}
                  <td>
                    {last_seen === null ? (
                      '–'
                    ) : (
                      <time dateTime={`${last_seen}Z`} title={formatDateTime(last_seen)}>
                        {formatAgo(last_seen, Date.now())}
                      </time>
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </TableScroller>
      {!insights.shows_active_time && (
        <p className={styles['timeHidden']}>
          {t('people.timeHidden')}{' '}
          <Link to="/dataset/$datasetId/settings" params={{ datasetId: dataset.id }}>
            {t('people.timeSettings')}
          </Link>
        </p>
      )}
    </Panel>
  )
}
