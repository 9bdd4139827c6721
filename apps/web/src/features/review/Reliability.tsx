import type { GoldModel } from '@postil/contract/jobs.ts'
import { formatAgreement, formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import styles from './Reliability.module.css'

type Props = { readonly model: GoldModel }

/** How reliable each annotator of a question is, according to a model. */
export const Reliability = ({ model: { question, annotators, annotators_left_out } }: Props) => {
  const { t } = useTranslation('features/review')
  return (
    <details>
      <summary>
        {t('reliability.title')} <bdi>{question}</bdi>
      </summary>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th>{t('reliability.person')}</th>
            <th className={styles['number']}>{t('reliability.answers')}</th>
            <th className={styles['number']}>{t('reliability.correct')}</th>
          </tr>
        </thead>
        <tbody>
          {annotators.map(({ user_id, username, answers, accuracy }) => (
            <tr key={user_id}>
              <td>
                <bdi>{username ?? t('formerUser')}</bdi>
              </td>
              <td className={styles['number']}>{formatCount(answers)}</td>
              <td className={styles['number']}>{formatAgreement(accuracy)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {annotators_left_out > 0 && (
        <p className={styles['more']}>
          {t('reliability.leftOut', { count: annotators_left_out, shown: formatCount(annotators_left_out) })}
        </p>
      )}
    </details>
  )
}
