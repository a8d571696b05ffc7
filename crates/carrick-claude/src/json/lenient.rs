//! The second reading, for objects that are not quite what they should be: what fits is typed, the rest stays raw.

use std::collections::BTreeMap;

use serde_json::{Number, Value};

use super::Raw;

/// Reads itself from a tree if it can; an object never fails because of one odd field in it.
pub(crate) trait Lenient: Sized {
    fn lenient(value: &Value) -> Option<Self>;
}

impl Lenient for String {
    fn lenient(value: &Value) -> Option<Self> {
        value.as_str().map(str::to_owned)
    }
}

impl Lenient for bool {
    fn lenient(value: &Value) -> Option<Self> {
        value.as_bool()
    }
}

impl Lenient for u64 {
    fn lenient(value: &Value) -> Option<Self> {
        value.as_u64()
    }
}

impl Lenient for i64 {
    fn lenient(value: &Value) -> Option<Self> {
        value.as_i64()
    }
}

impl Lenient for Number {
    fn lenient(value: &Value) -> Option<Self> {
        value.as_number().cloned()
    }
}

impl Lenient for Raw {
    fn lenient(value: &Value) -> Option<Self> {
        (!value.is_null()).then(|| value.into())
    }
}

impl<T: Lenient> Lenient for Box<T> {
    fn lenient(value: &Value) -> Option<Self> {
        T::lenient(value).map(Box::new)
    }
}

/// All or nothing: a list with a gap would lose what stood there.
impl<T: Lenient> Lenient for Vec<T> {
    fn lenient(value: &Value) -> Option<Self> {
        value.as_array()?.iter().map(T::lenient).collect()
    }
}

impl<T: Lenient> Lenient for BTreeMap<String, T> {
    fn lenient(value: &Value) -> Option<Self> {
        value.as_object()?.iter().map(|(key, value)| Some((key.clone(), T::lenient(value)?))).collect()
    }
}
