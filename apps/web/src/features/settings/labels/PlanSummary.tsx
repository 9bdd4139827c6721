import type { Question } from '@postil/contract/questions.ts'
import type { SchemaPlan } from '@postil/contract/schema-versions.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { codedText } from '#lib/api/messages.ts'
import { valueText } from '#question-types/value-text.ts'
import { Notice } from '#ui/feedback/Notice.tsx'
import styles from './LabelsDialog.module.css'

type Props = { readonly plan: SchemaPlan; readonly question: Question }

/** Shows what a label change would affect, or why the change can't be made. */
export const PlanSummary = ({ plan: { affected, examples, refused, conditions }, question }: Props) => {
  const { t } = useTranslation('features/settings')
  if (refused.length > 0)
    return (
      <Notice kind="danger">
        <ul className={styles['reasons']} role="alert">
          {refused.map(({ change, reason, reason_parts }) => (
            <li key={`${change} ${reason}`}>{codedText(reason_parts, reason)}</li>
          ))}
        </ul>
      </Notice>
    )
  const counts = [
    ['answers', affected.answers],
    ...(affected.due > 0 ? [['due', affected.due] as const] : []),
    ['suggestions', affected.suggestions],
    ['gold', affected.gold],
    ['views', affected.views],
    ...(affected.runs > 0 ? [['runs', affected.runs] as const] : []),
    ...(conditions.length > 0 ? [['conditions', conditions.length] as const] : []),
  ] as const
  return (
    <>
      <dl className={styles['counts']} aria-label={t('labels.affected')}>
        {counts.map(([what, count]) => (
          <div key={what}>
            <dt>{t(`labels.counts.${what}`)}</dt>
            <dd>{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      {examples.length > 0 && (
        <table className={styles['examples']}>
          <caption>{t('labels.examples')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('labels.person')}</th>
              <th scope="col">{t('labels.before')}</th>
              <th scope="col">{t('labels.after')}</th>
            </tr>
          </thead>
          <tbody>
            {examples.map(({ record_id, user, before, after }) => (
              <tr key={`${record_id} ${user.id}`}>
                <td>
                  <bdi>{user.username ?? t('labels.formerUser')}</bdi>
                </td>
                <td>
                  <bdi>{valueText(question, before)}</bdi>
                </td>
                <td>
                  <bdi>{valueText(question, after)}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {affected.due > 0 && <p className={styles['hint']}>{t('labels.dueAgain')}</p>}
      <p className={styles['hint']}>{t('labels.keepsWorking')}</p>
    </>
  )
}
