import { useQuery } from '@tanstack/react-query'
import { useUser } from '#features/auth/public.ts'
import { roundShare } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { href } from '#lib/api/base.ts'
import { datasetQuery } from '#lib/api/dataset-queries.ts'
import { shareDigits } from '#lib/constants.ts'
import { Button } from '#ui/controls/Button.tsx'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { UploadIcon } from '#ui/marks/icons.tsx'
import { Popover } from '#ui/overlays/Popover.tsx'
import styles from './ShareProgress.module.css'

type Props = {
  readonly datasetId: string
  readonly submitted: number
  /** The fraction of records that the team has completed, from 0 to 1. */
  readonly share: number
}

/** A link for sharing the user's progress, with a preview of the image that others see. */
export const ShareProgress = ({ datasetId, submitted, share }: Props) => {
  const { t } = useTranslation('features/annotate')
  const user = useUser()
  const { data: dataset } = useQuery(datasetQuery(datasetId))
  const name = dataset?.name ?? ''
  const query = new URLSearchParams({
    dataset_name: name,
    dataset_id: datasetId,
    user_name: user.username,
    team_progress: String(Math.round(roundShare(share, shareDigits) * 1000) / 10),
    records_submitted: String(submitted),
  })
  const link = `${location.origin}${href('/share-your-progress')}?${query}`
  return (
    <Popover
      align="end"
      label={t('progress.shareTitle')}
      className={styles['panel']}
      trigger={
        <Button look="quiet" icon={UploadIcon} className={styles['trigger']}>
          {t('progress.shareVerb')}
        </Button>
      }
    >
      <img
        className={styles['card']}
        src={href(`/share-your-progress/card.png?${query}`)}
        width={1200}
        height={630}
        alt={t('progress.shareCard', { name })}
      />
      <p className={styles['hint']}>{t('progress.shareHint')}</p>
      <div className={styles['link']}>
        <Input label={t('progress.shareLink')} readOnly value={link} onFocus={(event) => event.target.select()} />
        <CopyButton label={t('progress.shareCopy')} text={link} />
      </div>
    </Popover>
  )
}
