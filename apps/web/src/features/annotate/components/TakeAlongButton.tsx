import type { Dataset } from '@postil/contract/datasets.ts'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '#ui/IconButton.tsx'
import { SuitcaseIcon } from '#ui/icons.tsx'

const TakeAlongDialog = lazy(() => import('../taken/TakeAlongDialog.tsx').then((module) => ({ default: module.TakeAlongDialog })))

/** Records for when there is no network. The dialog comes with the first press: few visits need it. */
export const TakeAlongButton = ({ dataset }: { readonly dataset: Dataset }) => {
  const { t } = useTranslation('features/annotate')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton
        data-take-along=""
        icon={SuitcaseIcon}
        label={t('take.title')}
        title={t('take.title')}
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <Suspense>
          <TakeAlongDialog dataset={dataset} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
