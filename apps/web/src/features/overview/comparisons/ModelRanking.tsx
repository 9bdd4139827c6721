import type { ComparisonReport, RankedModel } from '@postil/contract/comparisons.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { formatShare } from '../parts/format.ts'
import { Panel, ShareBar, TableScroller } from '../parts/Panel.tsx'
import partStyles from '../parts/parts.module.css'
import sectionStyles from '../sections/sections.module.css'

type Props = { readonly title: string; readonly models: NonNullable<ComparisonReport['models']> }

/** The models from best to worst, ranked by the Bradley–Terry model. Models that can't be compared with the others come last. */
export const ModelRanking = ({ title, models: { comparisons, left_out, ranking } }: Props) => {
  const { t } = useTranslation('features/overview')
  const isIncomplete = ranking.some(({ score }) => score === null)
  const hint = [
    t('comparisons.rankingHint', { count: comparisons, shown: formatCount(comparisons) }),
    ...(left_out > 0 ? [t('comparisons.leftOut', { count: left_out, shown: formatCount(left_out) })] : []),
    ...(isIncomplete ? [t('comparisons.unrankedHint')] : []),
  ].join(' ')
  return (
    <Panel
      title={t('comparisons.ranking', { title })}
      hint={ranking.length === 0 ? t('comparisons.noModels') : hint}
      sheet={
        ranking.length === 0
          ? null
          : {
              head: [
                t('comparisons.model'),
                t('comparisons.score'),
                t('comparisons.low'),
                t('comparisons.high'),
                t('comparisons.wins'),
                t('comparisons.losses'),
                t('comparisons.equal'),
              ],
              rows: ranking.map(({ name, score, interval, wins, losses, ties }) => [
                name,
                score,
                interval?.low ?? null,
                interval?.high ?? null,
                wins,
                losses,
                ties,
              ]),
            }
      }
    >
      {ranking.length > 0 && (
        <TableScroller label={t('comparisons.ranking', { title })}>
          <table className={partStyles['table']}>
            <thead>
              <tr>
                <th scope="col">{t('comparisons.model')}</th>
                <th scope="col" data-bar="" title={t('comparisons.scoreHint')}>
                  {t('comparisons.score')}
                </th>
                <th scope="col" data-number="">
                  {t('comparisons.interval')}
                </th>
                <th scope="col" data-number="">
                  {t('comparisons.wins')}
                </th>
                <th scope="col" data-number="">
                  {t('comparisons.losses')}
                </th>
                <th scope="col" data-number="">
                  {t('comparisons.equal')}
                </th>
              </tr>
            </thead>
            <tbody>
              {ranking.map((model) => (
                <Row key={model.name} model={model} />
              ))}
            </tbody>
          </table>
        </TableScroller>
      )}
    </Panel>
  )
}

const Row = ({ model: { name, score, interval, wins, losses, ties } }: { readonly model: RankedModel }) => {
  const { t } = useTranslation('features/overview')
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      <td>
        {score === null ? (
          <span className={partStyles['quiet']}>{t('comparisons.unranked')}</span>
        ) : (
          <span className={sectionStyles['share']}>
            <ShareBar share={score} />
            {formatShare(score, 1)}
          </span>
        )}
      </td>
      <td data-number="">{interval === null ? '–' : `${formatShare(interval.low, 1)} – ${formatShare(interval.high, 1)}`}</td>
      <td data-number="">{formatCount(wins)}</td>
      <td data-number="">{formatCount(losses)}</td>
      <td data-number="">{formatCount(ties)}</td>
    </tr>
  )
}
