import { expect, test } from 'vitest'
import { checkTemplate } from './template-check.ts'

test.each([
  '<pre>{{json record.fields}}</pre>',
  '{{#each record.fields}}{{@key}}: {{this}}{{else}}none{{/each}}',
  '{{#if record.metadata.a}}{{{record.fields.html}}}{{/if}}\n{{#with record}}{{lookup fields "x"}}{{/with}}',
  '{{#record.fields.list as |one|}}{{one.name}}{{/record.fields.list}}{{^record.fields.list}}-{{/record.fields.list}}',
  '{{#each record.fields as |value key|}}{{key}}{{json (lookup ../record.fields key)}}{{/each}}{{! note }}',
  'no braces at all',
])('%s can be drawn', (template) => {
  expect(checkTemplate(template)).toBeNull()
})

test.each([
  ['a\n{{#if record.fields.a}}\nb\n{{/each}}', { kind: 'mismatch', line: 2, opened: 'if', closed: 'each' }],
  ['a\n{{#if record.fields.a}}\nb', { kind: 'unclosed' }],
  ['a\n\n  <b>{{= x}}</b>\n', { kind: 'unreadable', line: 3, near: '<b>{{= x}}</b>' }],
  ['a\n{{record.fields.a', { kind: 'unreadable', line: 2, near: '{{record.fields.a' }],
  ['{{/if}}', { kind: 'unreadable', line: 1, near: '{{/if}}' }],
  ['a\n{{upper record.fields.a}}', { kind: 'unknownHelper', line: 2, name: 'upper' }],
] as const)('%s is reported with its line', (template, fault) => {
  expect(checkTemplate(template)).toEqual(fault)
})
