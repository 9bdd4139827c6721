import type { Field } from '@postil/contract/fields.ts'
import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { useTypeNames } from '#i18n/use-type-names.ts'
import { nameMax } from '#lib/constants.ts'
import { creationSlice, questionKindsToMake } from '#question-types/creation-registry.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { LabelledSelect } from '#ui/controls/LabelledSelect.tsx'
import { TextArea } from '#ui/controls/TextArea.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { addQuestion } from '../api.ts'
import { maxLength, questionDescription, requiredText } from '../rules.ts'
import { useFaultText } from '../use-fault-text.ts'
import styles from './AddQuestionDialog.module.css'

type Props = {
  readonly datasetId: string
  readonly fields: readonly Field[]
  /** Called when the question has been added. */
  readonly onAdded: () => void
  readonly onClose: () => void
}

/** Adds an optional question to a published dataset. */
export const AddQuestionDialog = ({ datasetId, fields, onAdded, onClose }: Props) => {
  const { t } = useTranslation('features/settings')
  const { t: shared } = useTranslation('question-types/shared/options')
  const nameOf = useTypeNames()
  const faultText = useFaultText()
  const initial = (kind: QuestionKind) => creationSlice(kind).initial({ values: null, fields })
  const [kind, setKind] = useState<QuestionKind>('label_selection')
  const [settings, setSettings] = useState(() => initial(kind))
  const [name, setName] = useState('')
  const [title, setTitle] = useState('')
  const [description, setDescription] = useState('')
  const [hasTried, setTried] = useState(false)
  const { CreationForm, fault } = creationSlice(kind)
  const texts = { name: name.trim(), title: title.trim() || name.trim(), description: description.trim() || null }
  const add = useMutation({
    mutationFn: () => addQuestion(datasetId, { ...texts, settings }),
    onSuccess: () => {
      onAdded()
      onClose()
    },
  })
  const nameFault = requiredText(name) ?? maxLength(name, nameMax)
  const settingsFault = fault(settings, fields)
  const faults = [nameFault, maxLength(title, nameMax), questionDescription(description), settingsFault]
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={t('addQuestion.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            look="primary"
            busy={add.isPending}
            onClick={() => {
              setTried(true)
              if (faults.every((one) => one === null)) add.mutate()
            }}
          >
            {t('addQuestion.add')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <p className={styles['hint']}>{t('addQuestion.hint')}</p>
        <div className={styles['words']}>
          <Input
            label={t('addQuestion.name')}
            error={hasTried || name !== '' ? faultText(nameFault) : null}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Input
            label={t('itemTitle')}
            error={faultText(maxLength(title, nameMax))}
            autoComplete="off"
            placeholder={name.trim()}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
          />
          <LabelledSelect
            label={t('addQuestion.type')}
            value={kind}
            options={questionKindsToMake.map((one) => ({ value: one, label: nameOf('question', { type: one }) }))}
            onChange={(next) => {
              setKind(next)
              setSettings(initial(next))
            }}
          />
        </div>
        <TextArea
          label={t('description')}
          error={faultText(questionDescription(description))}
          rows={2}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <CreationForm
          // Each question type has its own inputs. Choosing another type therefore resets them.
          key={kind}
          settings={settings}
          fields={fields}
          fault={hasTried && settingsFault ? shared(`fault.${settingsFault}`) : null}
          onChange={setSettings}
        />
        {add.error && <ProblemNotice error={add.error} isAlert />}
      </div>
    </Dialog>
  )
}
