import { useState } from 'react'
import { preloadMessages } from '#i18n/setup.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { UploadIcon } from '#ui/icons.tsx'
import { toastProblem } from '#ui/toast.ts'

type Props = { readonly datasetId: string; readonly datasetName: string }
const load = async () => (await Promise.all([import('./PushDialog.tsx'), preloadMessages('features/hub')]))[0].PushDialog

/** Puts the dataset on the hub. The dialog comes with the first press: few visits need it. */
export const PushButton = ({ label, ...props }: Props & { readonly label: string }) => {
  const [dialog, setDialog] = useState<{ readonly Dialog: Awaited<ReturnType<typeof load>> } | null>(null)
  const open = (): void => {
    load().then(
      (Dialog) => setDialog({ Dialog }),
      // The files of the page did not come: the server is out of reach.
      () => toastProblem(new ApiError(0, undefined)),
    )
  }
  return (
    <>
      <IconButton icon={UploadIcon} label={label} title={label} onClick={open} />
      {dialog && <dialog.Dialog {...props} onClose={() => setDialog(null)} />}
    </>
  )
}
