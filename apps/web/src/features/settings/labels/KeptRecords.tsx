import type { RelabelCounts } from '@postil/contract/jobs.ts'
import { useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { recordLink } from '#lib/url/record-link.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import styles from './LabelVersions.module.css'

type Props = { readonly datasetId: string; readonly no: number; readonly counts: Pick<RelabelCounts, 'kept' | 'kept_records'> }

/** A button that lists the records whose answers a revert left unchanged. */
export const KeptRecords = ({ datasetId, no, counts: { kept, kept_records } }: Props) => {
  const { t } = useTranslation('features/settings')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button look="quiet" onClick={() => setIsOpen(true)}>
        {t('versions.showKept')}
      </Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title={t('versions.keptTitle', { no })}>
        <p>{t('versions.keptHint')}</p>
        <ul className={styles['kept']}>
          {kept_records.map((id) => (
            <li key={id}>
              <a href={recordLink(datasetId, id)}>{id}</a>
            </li>
          ))}
        </ul>
        {kept > kept_records.length && <p>{t('versions.keptMore', { shown: formatCount(kept_records.length) })}</p>}
      </Dialog>
    </>
  )
}
