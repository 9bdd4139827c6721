import type { Question } from '@postil/contract/questions.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DownloadDialogType } from '#features/download/service.ts'
import { loadDownloadDialog } from '#features/download/service.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { DownloadIcon } from '#ui/icons.tsx'
import { toastProblem } from '#ui/toast.ts'

type Props = {
  readonly datasetId: string
  readonly questions: readonly Question[]
  /** What the page shows, by everyone's answers; null when it shows everything. */
  readonly search: SearchBodyInput | null
}

/** Records and answers as a file. The dialog comes with the first press: few visits need it. */
export const DownloadButton = (props: Props) => {
  const { t } = useTranslation('features/annotate')
  const [dialog, setDialog] = useState<{ readonly Dialog: DownloadDialogType } | null>(null)
  const open = (): void => {
    loadDownloadDialog().then(
      (Dialog) => setDialog({ Dialog }),
      // The files of the page did not come: the server is out of reach.
      () => toastProblem(new ApiError(0, undefined)),
    )
  }
  return (
    <>
      <IconButton icon={DownloadIcon} label={t('download')} title={t('download')} onClick={open} />
      {dialog && <dialog.Dialog {...props} onClose={() => setDialog(null)} />}
    </>
  )
}
