import type { Forecast, Insights } from '@postil/contract/insights.ts'
import type { ReactNode } from 'react'
import { formatCount } from '#i18n/format.ts'
import { formatDay } from '#i18n/format-day.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { todayIn } from '../parts/day-bars.ts'
import { formatPerDay, formatShare } from '../parts/format.ts'
import { ShareBar } from '../parts/Panel.tsx'
import { Count } from '../parts/RecordsLink.tsx'
import { DayChart } from './DayChart.tsx'
import styles from './sections.module.css'

type TileProps = { readonly name: string; readonly children: ReactNode; readonly note?: ReactNode }
const Tile = ({ name, children, note }: TileProps) => (
  <div className={styles['tile']}>
    <dt>{name}</dt>
    <dd className={styles['figure']}>{children}</dd>
    {note && <dd className={styles['note']}>{note}</dd>}
  </div>
)

/** When the dataset will be finished, or why that isn't known. */
const ForecastTile = ({ forecast }: { readonly forecast: Forecast }) => {
  const { t } = useTranslation('features/overview')
  const { finish, earliest, latest, per_day, days, reason } = forecast
  if (reason === 'finished') return <Tile name={t('forecast.title')}>{t('forecast.done')}</Tile>
  if (finish === null || earliest === null)
    return (
      <Tile name={t('forecast.title')} note={t(`forecast.reason.${reason ?? 'too_few_days'}`)}>
        <span className={styles['unknown']}>{t('forecast.unknown')}</span>
      </Tile>
    )
  const basis = t('forecast.basis', { count: days, days: formatCount(days), rate: formatPerDay(per_day ?? 0) })
  const range =
    latest === null
      ? t('forecast.from', { from: formatDay(earliest) })
      : t('forecast.range', { from: formatDay(earliest), to: formatDay(latest) })
  return (
    <Tile
      name={t('forecast.title')}
      note={
        <>
          {earliest !== latest && <span>{range}</span>} <span title={t('forecast.method')}>{basis}</span>
        </>
      }
    >
      {formatDay(finish)}
    </Tile>
  )
}

/** @param none shown instead of the chart if there are no answers yet */
export const ProgressSection = ({ insights, none }: { readonly insights: Insights; readonly none: ReactNode }) => {
  const { t } = useTranslation('features/overview')
  const { records, answers, days, forecast } = insights
  const statuses = ['submitted', 'discarded', 'draft'] as const
  return (
    <div className={styles['stack']}>
      <dl className={styles['tiles']}>
        <Tile
          name={t('tile.completed')}
          note={
            <>
              <ShareBar share={records.total === 0 ? 0 : records.completed / records.total} />
              <span>{t('tile.ofRecords', { share: formatShare(records.completed, records.total) })}</span>
            </>
          }
        >
          <Count value={records.completed} search={{ status: 'completed' }} />
          <span className={styles['of']}> / {formatCount(records.total)}</span>
        </Tile>
        <Tile name={t('tile.pending')} note={t('tile.needed', { count: answers.needed, shown: formatCount(answers.needed) })}>
          <Count value={records.pending} search={{ status: 'pending' }} />
        </Tile>
        <ForecastTile forecast={forecast} />
        <div className={styles['tile']}>
          <dt>{t('tile.answers')}</dt>
          {statuses.map((status) => (
            <dd key={status} className={styles['status']} data-status={status}>
              <span>{t(`status.${status}`)}</span>
              <Count value={answers[status]} search={{ given: status }} />
            </dd>
          ))}
        </div>
      </dl>
      {days.length === 0 ? none : <DayChart days={days} today={todayIn(new Date())} />}
    </div>
  )
}
