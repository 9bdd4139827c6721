import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { ServerAnswer } from '#lib/outbox/types.ts'
import { Notice } from '#ui/feedback/Notice.tsx'
import styles from './RecordNotice.module.css'

type Props = { readonly returned: NonNullable<ServerAnswer['returned']> }

/** Says who returned the answer, and why. */
export const ReturnedNotice = ({ returned: { by, at, comment } }: Props) => {
  const { t } = useTranslation('features/annotate')
  return (
    <div className={styles['notice']}>
      <Notice kind="warning">
        <p title={formatDateTime(at)}>{t('returned', { name: by.username ?? '' })}</p>
        <p className={styles['comment']}>
          <bdi>{comment}</bdi>
        </p>
      </Notice>
    </div>
  )
}
