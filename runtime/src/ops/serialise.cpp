#include <accel/serialise.h>

#include <torch/types.h>

#include <c10/util/Type.h>

#include <cstring>
#include <vector>

namespace accel {

void ByteReader::raw(void* data, size_t bytes) {
  TORCH_CHECK(bytes <= bytes_.size() - at_,
              "accel: an object from another process ends early: its type reads more than it "
              "writes (mend its Serialiser or its visit_fields), or the processes run different "
              "programs");
  if (bytes > 0) {
    std::memcpy(data, bytes_.data() + at_, bytes);
  }
  at_ += bytes;
}

void Serialiser<std::string>::write(ByteWriter& out, const std::string& text) {
  out.write(static_cast<uint64_t>(text.size()));
  out.raw(text.data(), text.size());
}

void Serialiser<std::string>::read(ByteReader& in, std::string& text) {
  text.resize(in.read<uint64_t>());
  in.raw(text.data(), text.size());
}

namespace detail {

void refuse_to_send(const std::type_info& type) {
  TORCH_CHECK(
      false, "accel: a ", c10::demangle(type.name()),
      " can't be sent to other processes: give its class visit_fields (accel/visit.h) or an "
      "accel::Serialiser; a loader can also do without: dispatch_batches(false)");
}

void write_tensor(ByteWriter& out, const torch::Tensor& tensor) {
  out.write(tensor.defined());
  if (!tensor.defined()) {
    return;
  }
  TORCH_CHECK(tensor.layout() == torch::kStrided && !tensor.is_quantized() && !tensor.is_meta(),
              "accel: a ", tensor.toString(),
              " can't be sent to other processes, only dense tensors can; convert it");
  const auto data = tensor.detach().cpu().resolve_conj().resolve_neg().contiguous();
  out.write(data.scalar_type());
  out.write(data.sizes().vec());
  out.raw(data.data_ptr(), data.nbytes());
}

torch::Tensor read_tensor(ByteReader& in) {
  if (!in.read<bool>()) {
    return {};
  }
  const auto dtype = in.read<torch::ScalarType>();
  auto tensor = torch::empty(in.read<std::vector<int64_t>>(), torch::TensorOptions(dtype));
  in.raw(tensor.data_ptr(), tensor.nbytes());
  return tensor;
}

} // namespace detail
} // namespace accel
