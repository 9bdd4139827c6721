import { type Choice, type Condition, isGroup, maxConditionRules, rulesOf, withRules } from '@postil/contract/conditions.ts'
import { useId, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { CheckList } from '#ui/controls/CheckList.tsx'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import { CloseIcon } from '#ui/marks/first-icons.tsx'
import { PlusIcon } from '#ui/marks/icons.tsx'
import styles from './Conditions.module.css'
import {
  type ChoiceOption,
  canNest,
  choicesOf,
  hasSubjects,
  newRule,
  parseValues,
  ruleAbout,
  type SimpleRule,
  type Subjects,
  termsOf,
  withRule,
} from './condition-edit.ts'

type Props = {
  readonly title: string
  readonly condition: Condition | null
  readonly subjects: Subjects
  readonly onChange: (condition: Condition | null) => void
}

/** An editor for the condition under which a question is shown. */
export const ConditionEditor = ({ title, condition, subjects, onChange }: Props) => {
  const { t } = useTranslation('features/conditions')
  const editor = useRef<HTMLDivElement>(null)
  if (condition === null && !hasSubjects(subjects)) return null
  const remove = (): void => {
    announce(t('removed', { title }))
    onChange(null)
    // The pressed button disappears, so the focus must move.
    requestAnimationFrame(() => editor.current?.querySelector('button')?.focus())
  }
  return (
    <div ref={editor} className={styles['editor']}>
      {condition === null ? (
        <div>
          <Button
            icon={PlusIcon}
            aria-label={t('addTo', { title })}
            onClick={() => {
              onChange({ all: [newRule(subjects)] })
              requestAnimationFrame(() => editor.current?.querySelector('select')?.focus())
            }}
          >
            {t('add')}
          </Button>
        </div>
      ) : (
        <>
          <Group
            name={t('of', { title })}
            condition={condition}
            subjects={subjects}
            depth={1}
            onChange={(next) => (next === null ? remove() : onChange(next))}
          />
          <div>
            <Button look="quiet" aria-label={t('removeFrom', { title })} onClick={remove}>
              {t('remove')}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

type GroupProps = {
  readonly name: string
  readonly condition: Condition
  readonly subjects: Subjects
  readonly depth: number
  readonly onChange: (condition: Condition | null) => void
}

/** The rules of a condition or of a group inside it. */
const Group = ({ name, condition, subjects, depth, onChange }: GroupProps) => {
  const { t } = useTranslation('features/conditions')
  const rules = rulesOf(condition)
  const list = useRef<HTMLUListElement>(null)
  const add = (rule: SimpleRule | Condition): void => {
    onChange(withRules(condition, [...rules, rule]))
    requestAnimationFrame(() => list.current?.lastElementChild?.querySelector('select')?.focus())
  }
  const removeAt = (at: number): void => {
    onChange(withRule(condition, at, null))
    requestAnimationFrame(() => list.current?.querySelector('select')?.focus())
  }
  const isFull = rules.length >= maxConditionRules
  return (
    <fieldset className={styles['group']} data-depth={depth}>
      <legend className="visually-hidden">{name}</legend>
      <div className={styles['connective']}>
        <Select
          label={t('connective', { name })}
          value={'all' in condition ? 'all' : 'any'}
          options={[
            { value: 'all', label: depth === 1 ? t('all') : t('groupAll') },
            { value: 'any', label: depth === 1 ? t('any') : t('groupAny') },
          ]}
          onChange={(connective) => onChange(connective === 'all' ? { all: rules } : { any: rules })}
        />
      </div>
      <ul ref={list} className={styles['rules']}>
        {rules.map((rule, at) => (
          // Rules have no identity of their own.
          // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies a rule
          <li key={`${rules.length} ${at}`} className={styles['rule']}>
            {isGroup(rule) ? (
              <Group
                name={t('group', { number: at + 1 })}
                condition={rule}
                subjects={subjects}
                depth={depth + 1}
                onChange={(next) => onChange(withRule(condition, at, next))}
              />
            ) : (
              <Rule
                number={at + 1}
                rule={rule}
                subjects={subjects}
                onChange={(next) => onChange(withRule(condition, at, next))}
              />
            )}
            <IconButton
              icon={CloseIcon}
              label={isGroup(rule) ? t('removeGroup', { number: at + 1 }) : t('removeRule', { number: at + 1 })}
              onClick={() => removeAt(at)}
            />
          </li>
        ))}
      </ul>
      <div className={styles['add']}>
        <Button look="quiet" icon={PlusIcon} blocked={isFull} onClick={() => add(newRule(subjects))}>
          {t('addRule')}
        </Button>
        {canNest(depth) && (
          <Button look="quiet" icon={PlusIcon} blocked={isFull} onClick={() => add({ any: [newRule(subjects)] })}>
            {t('addGroup')}
          </Button>
        )}
      </div>
    </fieldset>
  )
}

type RuleProps = {
  readonly number: number
  readonly rule: SimpleRule
  readonly subjects: Subjects
  readonly onChange: (rule: SimpleRule) => void
}

const Rule = ({ number, rule, subjects, onChange }: RuleProps) => {
  const { t } = useTranslation('features/conditions')
  const { questions, properties } = subjects
  const question = 'question' in rule ? questions.find(({ name }) => name === rule.question) : undefined
  const property = 'metadata' in rule ? properties.find(({ name }) => name === rule.metadata) : undefined
  const subject = 'question' in rule ? `question ${rule.question}` : `metadata ${rule.metadata}`
  const choices = question === undefined ? null : choicesOf(question)
  const options = [
    ...questions.map(({ name, title }) => ({ value: `question ${name}`, label: title })),
    ...properties.map(({ name, title }) => ({ value: `metadata ${name}`, label: t('metadata', { title }) })),
  ]
  return (
    <div className={styles['simple']}>
      <Select
        label={t('subject', { number })}
        value={subject}
        // If the rule's question or property no longer exists, it stays in the list of options until the user chooses another
        // one.
        options={options.some(({ value }) => value === subject) ? options : [...options, { value: subject, label: subject }]}
        onChange={(value) => {
          const chosen = questions.find(({ name }) => value === `question ${name}`)
          onChange(chosen === undefined ? { metadata: value.slice('metadata '.length), in: [] } : ruleAbout(chosen))
        }}
      />
      {question !== undefined && choices !== null && (
        <Select
          label={t('test', { number })}
          value={'answered' in rule ? 'answered' : 'in'}
          options={[
            { value: 'in', label: t('isOneOf') },
            { value: 'answered', label: t('answered') },
          ]}
          onChange={(test) =>
            onChange(test === 'in' ? { question: question.name, in: [] } : { question: question.name, answered: true })
          }
        />
      )}
      {question !== undefined && choices === null && <span>{t('answered')}</span>}
      {property !== undefined && <span>{t('isOneOf')}</span>}
      {'in' in rule && (
        <Values
          number={number}
          values={rule.in}
          options={choices ?? (property === undefined ? null : termsOf(property))}
          parse={(text) => (property === undefined ? [] : parseValues(text, property))}
          onChange={(values) => onChange({ ...rule, in: values })}
        />
      )}
    </div>
  )
}

type ValuesProps = {
  readonly number: number
  readonly values: readonly Choice[]
  /** The values to choose from. Null if values must be entered as text. */
  readonly options: readonly ChoiceOption[] | null
  readonly parse: (text: string) => readonly Choice[]
  readonly onChange: (values: readonly Choice[]) => void
}

const Values = ({ number, values, options, parse, onChange }: ValuesProps) => {
  const { t } = useTranslation('features/conditions')
  const id = useId()
  const [text, setText] = useState(() => values.join(', '))
  const label = t('values', { number })
  const fault = values.length === 0 ? t('chooseValues') : null
  if (options === null)
    return (
      <Input
        label={label}
        hideLabel
        className={styles['text']}
        hint={t('valuesHint')}
        error={fault}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          onChange(parse(event.target.value))
        }}
      />
    )
  const keyOf = (value: Choice) => JSON.stringify(value)
  return (
    <div className={styles['values']}>
      <CheckList
        label={label}
        options={options.map(({ value, text: shown }) => ({ value: keyOf(value), text: shown }))}
        picked={values.map(keyOf)}
        search={null}
        onPick={(key) => {
          const isPicked = values.some((value) => keyOf(value) === key)
          const kept = values.filter((value) => keyOf(value) !== key)
          const added = options.find(({ value }) => keyOf(value) === key)
          onChange(isPicked || added === undefined ? kept : [...kept, added.value])
        }}
      />
      {fault && (
        <p id={id} className={styles['fault']}>
          {fault}
        </p>
      )}
    </div>
  )
}
