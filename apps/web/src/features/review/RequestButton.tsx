import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import type { GoldTarget } from './api.ts'
import { RequestDialog } from './RequestDialog.tsx'

type Props = {
  readonly datasetId: string
  readonly target: GoldTarget
  /** The number of records. */
  readonly count: number
  readonly onDone: () => void
}

/** Opens the dialog that requests more answers. */
export const RequestButton = ({ datasetId, target, count, onDone }: Props) => {
  const { t } = useTranslation('features/review')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        {t('request.open')}
      </Button>
      {isOpen && (
        <RequestDialog datasetId={datasetId} target={target} count={count} onDone={onDone} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
