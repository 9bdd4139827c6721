import type { Insights, QuestionInsights } from '@postil/contract/insights.ts'
import { useState } from 'react'
import { printAnswer, printOverlap } from '#features/records/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { valueText } from '#question-types/value-text.ts'
import { Select } from '#ui/controls/Select.tsx'
import { useOverview } from '../context.ts'
import { formatShare } from '../parts/format.ts'
import { Panel, ShareBar, TableScroller } from '../parts/Panel.tsx'
import partStyles from '../parts/parts.module.css'
import { Count, RecordsLink } from '../parts/RecordsLink.tsx'
import styles from './sections.module.css'

const everyone = ''

/** How often each value of a question was chosen, by everyone or by one person. */
const Distribution = ({ counted, by }: { readonly counted: QuestionInsights; readonly by: string }) => {
  const { t } = useTranslation('features/overview')
  const { questions } = useOverview()
  const question = questions.find(({ id }) => id === counted.question_id)
  const textOf = (value: string | number) => (question ? valueText(question, value) : String(value))
  const person = by === everyone ? {} : { by }
  const values = counted.values.map(({ value, count, users }) => ({
    value,
    count: by === everyone ? count : (users.find(({ user_id }) => user_id === by)?.count ?? 0),
  }))
  const highest = Math.max(1, ...values.map(({ count }) => count))
  const sum = values.reduce((total, { count }) => total + count, 0)
  const title = question?.title ?? counted.name
  return (
    <Panel
      title={title}
      hint={
        <RecordsLink search={{ overlap: printOverlap({ kind: 'any', question: counted.name }) }}>
          {t('labels.answers', { count: counted.answers, shown: formatCount(counted.answers) })}
        </RecordsLink>
      }
      sheet={
        values.length === 0
          ? null
          : {
              head: [t('labels.value'), t('labels.count'), t('labels.share')],
              rows: values.map(({ value, count }) => [textOf(value), count, sum === 0 ? null : count / sum]),
            }
      }
    >
      {values.length === 0 ? (
        <p className={partStyles['quiet']}>{t('labels.none')}</p>
      ) : (
        <TableScroller label={title}>
          <table className={partStyles['table']}>
            <thead>
              <tr>
                <th scope="col">{t('labels.value')}</th>
                <th scope="col" data-bar="">
                  {t('labels.share')}
                </th>
                <th scope="col" data-number="">
                  {t('labels.count')}
                </th>
              </tr>
            </thead>
            <tbody>
              {values.map(({ value, count }) => (
                <tr key={value}>
                  <th scope="row" title={textOf(value)}>
                    <bdi>{textOf(value)}</bdi>
                  </th>
                  <td>
                    <span className={styles['share']}>
                      <ShareBar share={count / highest} />
                      {formatShare(count, sum)}
                    </span>
                  </td>
                  <td data-number="">
                    <Count
                      value={count}
                      search={{ ...person, answer: printAnswer({ question: counted.name, value: String(value) }) }}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroller>
      )}
    </Panel>
  )
}

export const LabelsSection = ({ insights }: { readonly insights: Insights }) => {
  const { t } = useTranslation('features/overview')
  const { people } = useOverview()
  const [by, setBy] = useState(everyone)
  return (
    <div className={styles['stack']}>
      <div className={styles['tools']}>
        <Select
          label={t('labels.by')}
          value={by}
          options={[
            { value: everyone, label: t('labels.everyone') },
            ...insights.people.map(({ user_id }) => ({ value: user_id, label: people.nameOf(user_id) })),
          ]}
          onChange={setBy}
        />
      </div>
      {insights.questions.map((counted) => (
        <Distribution key={counted.question_id} counted={counted} by={by} />
      ))}
    </div>
  )
}
