import { expect, test } from '@jest/globals';
import { add } from '../src/money';

test('adds cents', () => expect(add(199, 398)).toBe(597));
