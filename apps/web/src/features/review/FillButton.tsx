import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import type { GoldTarget } from './api.ts'
import { FillDialog } from './FillDialog.tsx'

type Props = {
  readonly datasetId: string
  /** The records to consider. */
  readonly target: GoldTarget
  readonly onDone: () => void
}

/** Opens the dialog that stores final answers for records on which people agree. */
export const FillButton = ({ datasetId, target, onDone }: Props) => {
  const { t } = useTranslation('features/review')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        {t('fill.open')}
      </Button>
      {isOpen && <FillDialog datasetId={datasetId} target={target} onDone={onDone} onClose={() => setOpen(false)} />}
    </>
  )
}
