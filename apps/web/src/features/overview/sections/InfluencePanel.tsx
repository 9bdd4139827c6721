import { type Insights, minComparedAnswers, type SuggestionInfluence } from '@postil/contract/insights.ts'
import { Fragment } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { useOverview } from '../context.ts'
import { formatPoints, formatShare } from '../parts/format.ts'
import { Panel, TableScroller } from '../parts/Panel.tsx'
import partStyles from '../parts/parts.module.css'

type Compared = Pick<SuggestionInfluence, 'shown' | 'blind' | 'difference'>

const Cells = ({ shown, blind, difference }: Compared) => {
  const { t } = useTranslation('features/overview')
  return (
    <>
      {[shown, blind].map(({ answers, equal }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the two groups have fixed places
        <td key={at} data-number="">
          {formatShare(equal, answers)}{' '}
          <span className={partStyles['quiet']}>
            {t('influence.of', { equal: formatCount(equal), answers: formatCount(answers) })}
          </span>
        </td>
      ))}
      <td data-number="">
        {difference === null ? (
          <span className={partStyles['quiet']}>{t('influence.few')}</span>
        ) : (
          <>
            {formatPoints(difference.value)}{' '}
            <span className={partStyles['quiet']}>
              {t('influence.bounds', { low: formatPoints(difference.low), high: formatPoints(difference.high) })}
            </span>
          </>
        )}
      </td>
    </>
  )
}

const cellsOf = ({ shown, blind, difference }: Compared) => [
  shown.answers,
  shown.equal,
  blind.answers,
  blind.equal,
  difference?.value ?? null,
  difference?.low ?? null,
  difference?.high ?? null,
]

/**
 * Shows the influence of suggestions for each question and annotator: how much more often answers equal the suggestion if their
 * authors saw it than if they didn't see it.
 */
export const InfluencePanel = ({ insights: { influence } }: { readonly insights: Insights }) => {
  const { t } = useTranslation('features/overview')
  const { questions, people } = useOverview()
  const titleOf = ({ question_id, name }: SuggestionInfluence) => questions.find(({ id }) => id === question_id)?.title ?? name
  const isEmpty = influence.length === 0
  return (
    <Panel
      title={t('influence.title')}
      hint={isEmpty ? t('influence.empty') : t('influence.hint', { count: minComparedAnswers })}
      sheet={
        isEmpty
          ? null
          : {
              head: [
                t('suggestions.question'),
                t('people.name'),
                t('influence.shownAnswers'),
                t('influence.shownEqual'),
                t('influence.blindAnswers'),
                t('influence.blindEqual'),
                t('influence.difference'),
                t('influence.low'),
                t('influence.high'),
              ],
              rows: influence.flatMap((one) => [
                [titleOf(one), null, ...cellsOf(one)],
                ...one.people.map((person) => [titleOf(one), people.nameOf(person.user_id), ...cellsOf(person)]),
              ]),
            }
      }
    >
      {!isEmpty && (
        <TableScroller label={t('influence.title')}>
          <table className={partStyles['table']}>
            <thead>
              <tr>
                <th scope="col">{t('suggestions.question')}</th>
                <th scope="col">{t('people.name')}</th>
                <th scope="col" data-number="">
                  {t('influence.shown')}
                </th>
                <th scope="col" data-number="">
                  {t('influence.blind')}
                </th>
                <th scope="col" data-number="">
                  {t('influence.points')}
                </th>
              </tr>
            </thead>
            <tbody>
              {influence.map((one) => (
                <Fragment key={one.question_id}>
                  <tr>
                    <th scope="row">
                      <bdi>{titleOf(one)}</bdi>
                    </th>
                    <td>{t('influence.everyone')}</td>
                    <Cells {...one} />
                  </tr>
                  {one.people.map((person) => (
                    <tr key={person.user_id}>
                      <td />
                      <td>
                        <bdi>{people.nameOf(person.user_id)}</bdi>
                      </td>
                      <Cells {...person} />
                    </tr>
                  ))}
                </Fragment>
              ))}
            </tbody>
          </table>
        </TableScroller>
      )}
    </Panel>
  )
}
