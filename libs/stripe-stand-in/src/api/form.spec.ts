import { readForm, textAt, textsAt } from './form.js';

it('reads nested names as the library writes them', () => {
  const form = readForm('line_items[0][price_data][currency]=usd&metadata[order_id]=a+b&mode=payment');
  expect(textAt(form, 'line_items.0.price_data.currency')).toBe('usd');
  expect(textsAt(form, 'metadata')).toEqual({ order_id: 'a b' });
  expect(textAt(form, 'mode')).toBe('payment');
});

it('finds nothing where nothing, or something else, was sent', () => {
  const form = readForm('a[b]=1');
  expect([textAt(form, 'a'), textAt(form, 'a.b.c'), textAt(form, 'x.y')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(textsAt(form, 'a.b')).toEqual({});
});

it('changes no prototype', () => {
  const form = readForm('__proto__[polluted]=1&constructor[prototype][polluted]=1');
  expect(textAt(form, '__proto__.polluted')).toBe('1');
  expect('polluted' in {}).toBe(false);
});
