import type { Day } from '@postil/contract/insights.ts'
import { useLayoutEffect, useRef, useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { formatDay } from '#i18n/format-day.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { type Bar, barsOf, topOf } from '../parts/day-bars.ts'
import { Panel, TableScroller } from '../parts/Panel.tsx'
import partStyles from '../parts/parts.module.css'
import { Count, RecordsLink } from '../parts/RecordsLink.tsx'
import styles from './chart.module.css'

const statuses = ['submitted', 'discarded', 'draft'] as const

/** Returns n if only every nth bar has its name below the chart. About six bars have one, so that the names don't overlap. */
const namedEvery = (count: number): number => Math.max(1, Math.ceil(count / 6))

/**
 * A chart of the number of answers by the day of their last change. Each bar is a link. Only one bar is in the tab order; arrow
 * keys move between the bars.
 */
export const DayChart = ({ days, today }: { readonly days: readonly Day[]; readonly today: string }) => {
  const { t } = useTranslation('features/overview')
  const list = useRef<HTMLUListElement>(null)
  const plot = useRef<HTMLDivElement>(null)
  // The latest bars are at the end, so the chart is scrolled there.
  useLayoutEffect(() => {
    const { current: box } = plot
    if (box) box.scrollLeft = getComputedStyle(box).direction === 'rtl' ? -box.scrollWidth : box.scrollWidth
  }, [])
  const bars = barsOf(days, today)
  const [current, setCurrent] = useState(bars.length - 1)
  const totalOf = (bar: Bar) => bar.submitted + bar.discarded + bar.draft
  const top = topOf(Math.max(...bars.map(totalOf)))
  const isByDay = bars[0]?.from === bars[0]?.to
  const title = isByDay ? t('chart.days') : t('chart.weeks')
  const nameOf = ({ from, to }: Bar) => (from === to ? formatDay(from) : t('days', { from: formatDay(from), to: formatDay(to) }))
  const moveTo = (index: number): void => {
    const next = Math.max(0, Math.min(bars.length - 1, index))
    setCurrent(next)
    list.current?.querySelector<HTMLElement>(`[data-bar="${next}"]`)?.focus()
  }
  const targets: { readonly [key: string]: number } = {
    ArrowLeft: current - 1,
    ArrowRight: current + 1,
    Home: 0,
    End: bars.length - 1,
  }
  const every = namedEvery(bars.length)
  const table = days.toReversed()
  return (
    <Panel
      title={title}
      hint={t('chart.hint')}
      sheet={{
        head: [t('chart.day'), ...statuses.map((status) => t(`status.${status}`))],
        rows: days.map((day) => [day.day, ...statuses.map((status) => day[status])]),
      }}
      tools={
        <ul className={styles['legend']} aria-hidden="true">
          {statuses.map((status) => (
            <li key={status} data-status={status}>
              {t(`status.${status}`)}
            </li>
          ))}
        </ul>
      }
    >
      <div className={styles['chart']}>
        <div className={styles['scale']} aria-hidden="true">
          {[top, top / 2, 0].map((tick) => (
            <span key={tick}>{formatCount(tick)}</span>
          ))}
        </div>
        <div ref={plot} className={styles['plot']}>
          <ul
            ref={list}
            className={styles['bars']}
            aria-label={title}
            onKeyDown={(event) => {
              const target = targets[event.key]
              if (target === undefined) return
              event.preventDefault()
              moveTo(target)
            }}
          >
            {bars.map((bar, index) => {
              const text = t('chart.bar', {
                day: nameOf(bar),
                submitted: formatCount(bar.submitted),
                discarded: formatCount(bar.discarded),
                drafts: formatCount(bar.draft),
              })
              return (
                <li key={bar.from}>
                  <RecordsLink
                    search={{ from: bar.from, to: bar.to, given: 'any' }}
                    className={styles['bar']}
                    label={text}
                    title={text}
                    tabIndex={index === current ? 0 : -1}
                    data-bar={index}
                  >
                    {statuses.map(
                      (status) =>
                        bar[status] > 0 && (
                          <span key={status} data-status={status} style={{ height: `${(bar[status] / top) * 100}%` }} />
                        ),
                    )}
                  </RecordsLink>
                  {index % every === 0 && index + every / 2 < bars.length && (
                    <span className={styles['name']} aria-hidden="true">
                      {formatDay(bar.from)}
                    </span>
                  )}
                </li>
              )
            })}
          </ul>
        </div>
      </div>
      <details className={styles['more']}>
        <summary>{t('chart.table')}</summary>
        <TableScroller label={t('chart.table')}>
          <table className={partStyles['table']}>
            <thead>
              <tr>
                <th scope="col">{t('chart.day')}</th>
                {statuses.map((status) => (
                  <th key={status} scope="col" data-number="">
                    {t(`status.${status}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.map((day) => (
                <tr key={day.day}>
                  <th scope="row">{formatDay(day.day)}</th>
                  {statuses.map((status) => (
                    <td key={status} data-number="">
                      <Count
                        value={day[status]}
                        search={{ from: day.day, to: day.day, ...(status !== 'submitted' && { given: status }) }}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroller>
      </details>
    </Panel>
  )
}
