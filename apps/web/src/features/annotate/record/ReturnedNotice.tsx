import type { Question } from '@postil/contract/questions.ts'
import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { ServerAnswer } from '#lib/outbox/types.ts'
import { Notice } from '#ui/feedback/Notice.tsx'
import { SplitText } from '../answering/form/SplitText.tsx'
import styles from './RecordNotice.module.css'

type Props = { readonly returned: NonNullable<ServerAnswer['returned']>; readonly questions: readonly Question[] }

/**
 * Says who returned the answer. If the answer was returned because a label was split, lists the new labels instead. Also shows
 * the comment, if there is one.
 */
export const ReturnedNotice = ({ returned: { by, at, comment, split = [] }, questions }: Props) => {
  const { t } = useTranslation('features/annotate')
  return (
    <div className={styles['notice']}>
      <Notice kind="warning">
        {split.length === 0 && <p title={formatDateTime(at)}>{t('returned', { name: by?.username ?? '' })}</p>}
        {split.map(({ question: name, label, into }) => {
          const question = questions.find((one) => one.name === name)
          return (
            question && (
              <p key={`${name} ${label}`} title={formatDateTime(at)}>
                <bdi>{question.title}</bdi>: <SplitText question={question} label={label} into={into} />
              </p>
            )
          )
        })}
        {comment !== '' && (
          <p className={styles['comment']}>
            <bdi>{comment}</bdi>
          </p>
        )}
      </Notice>
    </div>
  )
}
