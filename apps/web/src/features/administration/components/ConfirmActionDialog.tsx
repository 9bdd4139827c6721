import { showSuccess } from '#ui/feedback/success-toast.ts'
import { FormDialog } from '#ui/overlays/FormDialog.tsx'
import { useAsyncAction } from '../use-async-action.ts'

type Props = {
  readonly title: string
  readonly confirmLabel: string
  readonly explanation: string
  /** The message shown on success. Omitted if something else shows the result. */
  readonly successText?: string
  readonly action: () => Promise<unknown>
  readonly onClose: () => void
  /** Whether the caller replaces the dialog on success. */
  readonly staysOpen?: true
}

export const ConfirmActionDialog = ({ title, confirmLabel, explanation, successText, action, onClose, staysOpen }: Props) => {
  const { busy, problem, run } = useAsyncAction()
  const submit = async (): Promise<void> => {
    if (!(await run(action))) return
    if (successText !== undefined) showSuccess(successText)
    if (!staysOpen) onClose()
  }
  return (
    <FormDialog
      title={title}
      submitLabel={confirmLabel}
      busy={busy}
      blocked={false}
      problem={problem}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p>{explanation}</p>
    </FormDialog>
  )
}
